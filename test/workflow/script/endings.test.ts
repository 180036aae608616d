import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inTier, longTest } from "../../support/tier.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { returned, runBody, value } from "./run-body.ts";

const FILE = "/project/workflow.js";

/** Those of our own scripts' processes that are alive. */
function scriptProcesses(): number[] {
  const mine = String(process.pid);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const parent = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1];
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return parent === mine && words.includes("workflow-script.");
      } catch {
        return false;
      }
    })
    .map(Number);
}

const hung = (cause: string, message: RegExp) => ({
  kind: "hung",
  cause,
  message: expect.stringMatching(message),
});

test("what a script throws has its name, its message and the lines of the person's file", async () => {
  const { ending } = await runBody(`const review = async () => {
  await agent("one");
  null.x;
};
await review();`);
  expect(ending).toEqual({
    kind: "threw",
    name: "TypeError",
    message: "Cannot read properties of null (reading 'x')",
    stack: [`${FILE}:3:8`, `${FILE}:5:1`],
  });
});

describe("without a process", () => {
  const threw = (message: string, at: string) => ({
    kind: "threw",
    name: "SyntaxError",
    message,
    stack: [`${FILE}:${at}`],
  });
  test.each([
    ["a fault of its text", "const a = ;", threw("Unexpected token", "1:11")],
    [
      "an import, wherever it stands",
      "\nconst f = () => [/* */ import('node:fs')];",
      threw("`import()` is refused: a script has only the names of the dialect", "2:24"),
    ],
    ["a text that closes what is around it", "}); (async()=>{", threw("Unexpected token", "1:1")],
  ])("%s is refused", async (_, body, ending) => {
    expect((await runBody(body)).ending).toEqual(ending);
  });

  test("one that is stopped already does not start", async () => {
    const { ending } = await runBody("return 1", { signal: AbortSignal.abort() });
    expect(ending).toEqual({ kind: "ended", reason: "stopped" });
  });
});

test("whatever is thrown or rejected is said in words", async () => {
  const trap =
    "new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 }, ownKeys() { throw 3 } })";
  const bodies = [`throw ${trap}`, "throw undefined", "throw { code: 5 }", "throw 'text'"];
  const endings = await Promise.all(bodies.map((body) => runBody(body)));
  const threw = (message: string) => ({ kind: "threw", name: "Error", message, stack: [] });
  expect(endings.map(({ ending }) => ending)).toEqual([
    threw("(a value that cannot be shown)"),
    threw("undefined"),
    threw('{"code":5}'),
    threw("text"),
  ]);
});

describe("a result", () => {
  test("that JSON cannot hold is kept as far as it can be, and what is lost is said", async () => {
    const { ending } = await runBody(`
      const self = { n: 12345678901234567890n, at: new Date(0), map: new Map([[1, 2]]), set: new Set(), run: () => 1 };
      self.self = self; self.list = [self.list, undefined, NaN];
      self.twice = [self.at, self.at];
      return self;`);
    expect(ending).toEqual({
      kind: "returned",
      value: {
        ...{ n: "12345678901234567890", at: "1970-01-01T00:00:00.000Z", map: {}, set: {} },
        ...{ self: "[circular]", list: [null, null, null] },
        twice: ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z"],
      },
      problems: [
        "`n` is a BigInt, which JSON cannot hold: its text is kept",
        "`map` is a Map, which JSON cannot hold: {} is kept",
        "`set` is a Set, which JSON cannot hold: {} is kept",
        "`run` is a function, which JSON cannot hold: nothing is kept",
        '`self` is part of itself, which JSON cannot hold: the text "[circular]" is kept',
      ],
    });
  });

  test("may have ten megabytes, in and out, and not more", async () => {
    const whole = "é".repeat(5 * 1024 * 1024 - 100);
    const [fits, long, wide, deep] = await Promise.all([
      runBody('return agent("x")', { answer: () => value(whole) }),
      runBody('return "x".repeat(10.1 * 1024 * 1024)'),
      runBody('return "é".repeat(5.1 * 1024 * 1024)'),
      runBody("let a = []; for (let n = 0; n < 1e6; n++) a = [a]; return a"),
    ]);
    expect(returned(fits) === whole).toBe(true);
    const tooLarge = { kind: "threw", name: "RangeError", message: /more than 10 MB/ };
    for (const { ending } of [long, wide])
      expect(ending).toMatchObject({
        ...tooLarge,
        message: expect.stringMatching(/more than 10 MB/),
      });
    expect(deep.ending).toMatchObject({ kind: "threw", name: "RangeError" });
  });
});

describe("what is still under way", () => {
  test("is waited for when a script forgot to, with what follows from it", async () => {
    const run = await runBody(
      `
      agent("one").then(() => agent("two"));
      agent("refused");
      return "early";`,
      {
        answer: async ({ effect }) => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          const isRefused = effect.kind === "agent" && effect.prompt === "refused";
          return isRefused ? { kind: "thrown", message: "no" } : value(1);
        },
      },
    );
    expect(returned(run)).toBe("early");
    expect(run.requests).toHaveLength(3);
    expect(run.log).toEqual([
      "warning: the script ended while 2 of its calls were under way; they are waited for (is an `await` missing?)",
      "warning: a promise that nobody awaited was rejected with Error: no",
    ]);
  });

  test("is finished when a script throws, but starts nothing new", async () => {
    const run = await runBody(`
      agent("one").then(() => agent("two")).catch(() => {});
      throw new Error("early");`);
    expect(run.ending).toMatchObject({ kind: "threw", message: "early" });
    expect(run.requests).toHaveLength(1);
  });
});

describe("a script that does not end", () => {
  const limits = { syncMs: 1_000 };
  const small = { memoryMb: 64 };

  test.each([
    ["loops", "for (;;);", limits, "loop", /ran for 1 s without a pause/],
    ["waits for nothing", "await new Promise(() => {})", {}, "idle", /nothing can settle/],
    [
      "fills its memory",
      'const a = []; for (;;) a.push({ a, b: "x" + a.length })',
      small,
      "memory",
      /more than 64 MB/,
    ],
  ])("and %s is ended", async (_, body, own, cause, message) => {
    const { ending } = await runBody(`await agent("x"); ${body}`, { limits: own });
    expect(ending).toEqual(hung(cause, message));
    expect(scriptProcesses()).toEqual([]);
  });

  longTest.each([
    [
      "loops in promises",
      "const go = () => { Promise.resolve().then(go) }; go(); await agent('x')",
      /ran for 1 s/,
    ],
    ["loops when it cleans up", "try { await agent('x') } finally { for (;;); }", /1 s/],
    ["loops while its result is written", "return { toJSON() { for (;;); } }", /1 s/],
    ["prints for ever", "for (;;) log('x'.repeat(1000))", /1 s/],
  ])("and %s is ended", async (_, body, message) => {
    const { ending, log } = await runBody(body, { limits });
    expect(ending).toEqual(hung("loop", message));
    expect(log.length).toBeLessThanOrEqual(10_000);
  });

  test("and fills memory outside the heap gets an error", async () => {
    const { ending } = await runBody("const a = []; for (;;) a.push(new Uint8Array(1e8).fill(1))", {
      limits: small,
    });
    expect(ending).toMatchObject({ kind: "threw", name: "RangeError" });
  });

  test("is ended by its signal in the middle of a loop", async () => {
    const stop = new AbortController();
    const running = runBody("await agent('x'); for (;;);", {
      signal: stop.signal,
      answer: () => {
        setTimeout(() => stop.abort(), 50);
        return value(1);
      },
    });
    expect((await running).ending).toEqual({ kind: "ended", reason: "stopped" });
    expect(scriptProcesses()).toEqual([]);
  });

  test("is ended by an effect that ends the run, which nothing can catch", async () => {
    const run = await runBody(
      `
      for (;;) { try { await parallel([() => agent("x"), () => agent("y")]) } catch {} log("went on") }`,
      {
        answer: ({ effect }) =>
          effect.kind === "agent" && effect.prompt === "y"
            ? { kind: "ended", reason: "budget" }
            : new Promise(() => {}),
      },
    );
    expect(run.ending).toEqual({ kind: "ended", reason: "budget" });
    expect(run.log).toEqual([]);
  });
});

describe("too much of something", () => {
  test("lines are dropped after ten thousand", async () => {
    const { log } = await runBody('for (let n = 0; n < 50000; n++) console.log("line", n, { n })');
    expect(log).toHaveLength(10_000);
    expect(log.slice(-2)).toEqual([
      'line 9998 {"n":9998}',
      "warning: 10000 lines; what follows is dropped",
    ]);
  });

  test("calls by the thousand are all answered, in whatever order", async () => {
    const many = inTier(5_000, 100_000);
    const run = await runBody(
      `
      const all = [];
      for (let n = 0; n < ${many}; n++) all.push(agent("p" + n).catch((error) => error.message));
      const results = await Promise.all(all);
      return [results.length, results[0], results.at(-1), new Set(results).size];`,
      {
        answer: ({ effect }) => {
          const { prompt } = effect.kind === "agent" ? effect : { prompt: "" };
          return Number(prompt.slice(1)) < 1_000
            ? value(prompt)
            : { kind: "thrown", message: "too many calls" };
        },
      },
    );
    expect(returned(run)).toEqual([many, "p0", "too many calls", 1_001]);
    expect(run.requests).toHaveLength(many);
  });
});

test("its process is gone when its owner is", async () => {
  const owner = join(import.meta.dirname, "fixtures", "owner.ts");
  const { execFile } = await import("node:child_process");
  const child = execFile(process.execPath, [owner]);
  let said = "";
  child.stdout?.on("data", (text) => (said += text));
  await waitUntil(() => said.includes("\n"));
  const pid = Number(said);
  expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toContain("workflow-script.");
  child.kill("SIGKILL");
  const isGone = () => {
    try {
      return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.startsWith("Z") === true;
    } catch {
      return true;
    }
  };
  await waitUntil(isGone);
});
