import { describe, expect, test } from "vitest";
import type { NewEvent, StoredEvent } from "../../../../src/core/command/event.ts";
import { readMoment } from "../../../../src/core/commands/log/filter.ts";
import { formatEvent } from "../../../../src/core/commands/log/show.ts";
import {
  linesOf,
  openTestProgram,
  person,
  type TestProgram,
  textOf,
} from "../../../support/program-of-commands.ts";

const event = (more: Partial<NewEvent> = {}): NewEvent => ({
  time: "2026-11-05T14:00:00.123Z",
  type: "CommandUnknown",
  correlationId: "c0ffee00-1111",
  sessionId: null,
  origin: { surface: "cli" },
  data: { name: "x" },
  ...more,
});

const fill = ({ program }: TestProgram, events: readonly NewEvent[]) => {
  for (const one of events) program.audit.append(one);
};

const ndjson = (text: string): StoredEvent[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test("`--agent` takes an agent by its other name", async () => {
  const opened = openTestProgram();
  const origin = { surface: "hook", agent: "claude-code" } as const;
  fill(opened, [event({ origin }), event({ origin: { surface: "hook", agent: "codex" } })]);
  for (const name of ["claude", "claude-code"]) {
    const { metadata } = (await opened.run(["log", "--agent", name, "--last", "9"])).result;
    expect(metadata).toMatchObject({ events: [{ origin: { agent: "claude-code" } }] });
  }
});

describe("a moment", () => {
  const now = new Date("2026-11-05T14:00:00.000Z");
  test.each([
    ["2h", "2026-11-05T12:00:00.000Z"],
    ["30d", "2026-10-06T14:00:00.000Z"],
    ["2026-11-01T10:00:00Z", "2026-11-01T10:00:00.000Z"],
    ["2026-11-01T10:00+02:00", "2026-11-01T08:00:00.000Z"],
    ["2026-11-01", new Date(2026, 10, 1).toISOString()],
    ["2026-11-01 10:00", new Date(2026, 10, 1, 10).toISOString()],
  ])("%s is %s", (text, iso) => {
    expect(readMoment(text, now)?.toISOString()).toBe(iso);
  });

  test.each(["", "yesterday", "5", "-2h", "2026-13-01", "2026-11-01T99:00", "11/05/2026"])(
    "%j is none",
    (text) => {
      expect(readMoment(text, now)).toBeNull();
    },
  );
});

describe("a line", () => {
  const line = (more: Partial<NewEvent>) =>
    formatEvent({
      ...event({ time: new Date(2026, 10, 5, 14, 3, 22, 45).toISOString(), ...more }),
      seq: 1,
    });

  test.each<[Partial<NewEvent>, string]>([
    [
      {
        type: "CommandResulted",
        data: {
          name: "deploy",
          outcome: { kind: "ok", exitCode: 0, class: null, code: null, durationMs: 12.34 },
        },
      },
      "CommandResulted      c0ffee00  deploy ok 0 12.3 ms",
    ],
    [
      {
        type: "CommandResulted",
        data: {
          name: "deploy",
          outcome: {
            kind: "failed",
            exitCode: 124,
            class: "Timeout",
            code: "CommandTimeout",
            durationMs: 61_500,
          },
        },
      },
      "CommandResulted      c0ffee00  deploy failed 124 Timeout/CommandTimeout 61.50 s",
    ],
    [
      { type: "CommandDispatched", data: { name: "model", args: { name: "string(4)" } } },
      "CommandDispatched    c0ffee00  model name=string(4)",
    ],
    [
      { type: "ModelChanged", data: { from: null, to: "opus" } },
      "ModelChanged         c0ffee00  – → opus",
    ],
    [
      {
        type: "ParamsChanged",
        data: { paramPath: "a.b", redactedDelta: { from: "unset", to: "number" } },
      },
      "ParamsChanged        c0ffee00  a.b unset → number",
    ],
    [
      {
        type: "CommandUnknown",
        origin: { surface: "hook", agent: "codex" },
        data: { name: "a\u001b[2J\nb" },
      },
      "CommandUnknown       c0ffee00  [codex] a\\u{1b}[2J b",
    ],
    [
      { type: "Diagnostic", data: { code: "Log", where: "x" } },
      "Diagnostic           c0ffee00  code=Log where=x",
    ],
  ])("of %j", (more, expected) => {
    expect(line(more)).toBe(`2026-11-05 14:03:22.045  ${expected}`);
  });
});

describe("log", () => {
  test("shows the newest fifty, oldest first", async () => {
    const opened = openTestProgram();
    fill(
      opened,
      Array.from({ length: 80 }, (_, at) => event({ data: { name: `n${at}` } })),
    );
    const lines = linesOf(await opened.run(["log"])).filter((line) => line !== "");
    expect(lines).toHaveLength(50);
    expect(lines.at(-2)).toContain("n79");
    expect(lines.at(-1)).toContain("CommandDispatched");
  });

  test.each([
    [
      ["--type", "CommandUnknown", "--last", "2"],
      ["b", "e"],
    ],
    [
      ["--type=CommandUnknown", "--type", "Diagnostic"],
      ["a", "b", "d", "e"],
    ],
    [
      ["--since", "2026-11-02T00:00:00Z", "--until", "2026-11-04T00:00:00Z"],
      ["b", "c"],
    ],
    [["--agent", "codex"], ["c"]],
    [["--session", "s1"], ["d"]],
    [["--correlation", "cccc"], ["b"]],
    [["--command", "a"], ["a"]],
  ])("%j gives %j", async (flags, names) => {
    const opened = openTestProgram();
    fill(opened, [
      event({ time: "2026-11-01T00:00:00.000Z", data: { name: "a" } }),
      event({ time: "2026-11-02T00:00:00.000Z", data: { name: "b" }, correlationId: "cccc-1" }),
      event({
        time: "2026-11-03T00:00:00.000Z",
        type: "AccessDenied",
        data: { name: "c" },
        origin: { surface: "hook", agent: "codex" },
      }),
      event({
        time: "2026-11-04T00:00:00.000Z",
        type: "Diagnostic",
        data: { name: "d" },
        sessionId: "s1",
      }),
      event({ time: "2026-11-05T00:00:00.000Z", data: { name: "e" } }),
    ]);
    const outcome = await opened.run(["log", "--json", ...flags]);
    expect(ndjson(textOf(outcome)).map(({ data }) => data.name)).toEqual(names);
  });

  test("--session takes a name as well", async () => {
    const opened = openTestProgram();
    opened.program.sessions().rename("s1", "work");
    fill(opened, [event({ sessionId: "s1", data: { name: "mine" } }), event()]);
    const outcome = await opened.run(["log", "--json", "--session", "work"]);
    expect(ndjson(textOf(outcome)).map(({ data }) => data.name)).toEqual(["mine"]);
  });

  test("a beginning that fits several correlations is refused with all of it", async () => {
    const opened = openTestProgram();
    fill(opened, [event({ correlationId: "abcd1" }), event({ correlationId: "abcd2" })]);
    const outcome = await opened.run(["log", "--correlation", "abcd"]);
    expect(outcome.error?.message).toContain("2 correlations begin with it");
    expect(outcome.error?.hint).toContain("abcd1, abcd2");
  });

  test("NDJSON holds the events as they are stored", async () => {
    const opened = openTestProgram();
    const stored = opened.program.audit.append(event({ causationId: "7" }));
    const outcome = await opened.run(["log", "--json", "--type", "CommandUnknown"]);
    expect(textOf(outcome)).toMatch(/^{.*}\n$/);
    expect(ndjson(textOf(outcome))).toEqual([stored]);
    expect(outcome.result.metadata).toEqual({ count: 1, streamed: false, events: [stored] });
  });

  test("says so where nothing fits, but prints nothing as JSON", async () => {
    const opened = openTestProgram();
    expect(textOf(await opened.run(["log", "--agent", "none"]))).toBe(
      "nothing is recorded that fits",
    );
    expect(textOf(await opened.run(["log", "--agent", "none", "--json"]))).toBe("");
  });

  test.each([
    [["--agent", "claud"], "claude-code"],
    [["--command", "resum"], "resume"],
  ])("asks whether %j was a slip, unless it is known or on record", async (words, meant) => {
    const opened = openTestProgram();
    const nothing = "nothing is recorded that fits";
    const [flag = ""] = words;
    expect(textOf(await opened.run(["log", ...words]))).toBe(
      `${nothing}; did you mean \`${meant}\`?`,
    );
    expect(textOf(await opened.run(["log", "--type", "Diagnostic", flag, meant]))).toBe(nothing);
  });

  test("a long log is streamed in chunks and not held", async () => {
    const opened = openTestProgram();
    fill(
      opened,
      Array.from({ length: 2_500 }, (_, at) => event({ data: { name: `n${at}` } })),
    );
    const chunks: string[] = [];
    const onOutput = (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk).toString());
    const flags = ["--json", "--type", "CommandUnknown", "--last", "2200"];
    const outcome = await opened.run(["log", ...flags], { onOutput });
    expect(outcome.result.output).toBe("");
    expect(outcome.result.metadata).toEqual({ count: 2_200, streamed: true, events: null });
    expect(chunks.length).toBeGreaterThan(1);
    const names = ndjson(chunks.join("")).map(({ data }) => data.name);
    expect(names).toEqual(Array.from({ length: 2_200 }, (_, at) => `n${at + 300}`));
  });

  test("the same long log is one result where nobody watches", async () => {
    const opened = openTestProgram();
    fill(
      opened,
      Array.from({ length: 1_500 }, () => event()),
    );
    const outcome = await opened.run(
      ["log", "--json", "--type", "CommandUnknown", "--last", "2000"],
      {
        origin: { surface: "library" },
      },
    );
    expect(ndjson(textOf(outcome))).toHaveLength(1_500);
  });

  test.each([
    [["--since", "yesterday"], "ArgumentsInvalid"],
    [["--type", "Nothing"], "ArgumentsInvalid"],
    [["--last", "0"], "ArgumentsInvalid"],
    [["--follow", "--until", "2h"], "ArgumentsInvalid"],
    [["--prune", "30"], "ArgumentsInvalid"],
    [["--prune", "30d", "--agent", "codex"], "ArgumentsInvalid"],
  ])("%j is refused", async (flags, code) => {
    expect(await openTestProgram().run(["log", ...flags])).toMatchObject({
      kind: "rejected",
      error: { code },
      result: { exitCode: 2 },
    });
  });
});

describe("following", () => {
  test("shows what fits as it comes, until it is cancelled", async () => {
    const opened = openTestProgram();
    fill(opened, [event({ data: { name: "before" } })]);
    const cancel = new AbortController();
    const seen: string[] = [];
    const flags = ["--follow", "--json", "--type", "CommandUnknown"];
    const following = opened.run(["log", ...flags], {
      signal: cancel.signal,
      onOutput: (chunk) => {
        for (const { data } of ndjson(Buffer.from(chunk).toString())) {
          seen.push(String(data.name));
          // Each event is written only after the one before it was shown.
          if (data.name === "before")
            fill(opened, [event({ type: "Diagnostic" }), event({ data: { name: "first" } })]);
          if (data.name === "first") fill(opened, [event({ data: { name: "second" } })]);
          if (data.name === "second") cancel.abort();
        }
      },
    });
    const outcome = await following;
    expect(seen).toEqual(["before", "first", "second"]);
    expect(outcome).toMatchObject({ kind: "cancelled", result: { exitCode: 130 } });
  });

  test("is refused where nobody watches", async () => {
    const outcome = await openTestProgram().run(["log", "--follow"], {
      origin: { surface: "mcp" },
    });
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "ArgumentsInvalid" } });
  });
});

describe("pruning", () => {
  const old = event({ time: "2020-01-01T00:00:00.000Z", data: { name: "old" } });
  const isThere = ({ program }: TestProgram) =>
    [...program.audit.read({ command: "old" })].length > 0;

  test.each([
    ["forced", ["--force"], {}, true],
    ["agreed to", [], person(true), true],
    ["declined", [], person(false), false],
    ["not asked for", [], {}, false],
    ["forced by an agent", ["--force"], { env: { CLAUDECODE: "1" } }, false],
    ["agreed to below an agent", [], { ...person(true), env: { ADJ_DEPTH: "1" } }, false],
  ] as const)("%s", async (_, flags, options, isPruned) => {
    const opened = openTestProgram();
    fill(opened, [old]);
    const outcome = await opened.run(["log", "--prune", "30d", ...flags], options);
    expect(isThere(opened)).toBe(!isPruned);
    expect(outcome.kind).toBe(isPruned ? "ok" : "rejected");
    if (isPruned) expect(outcome.result.metadata).toMatchObject({ pruned: 1 });
    else expect(outcome.result.exitCode).toBe(126);
  });

  test("leaves a trace of itself and everything younger", async () => {
    const opened = openTestProgram();
    fill(opened, [old, event({ time: new Date().toISOString(), data: { name: "young" } })]);
    await opened.run(["log", "--prune", "30d", "--force"]);
    expect([...opened.program.audit.read({ command: "young" })]).toHaveLength(1);
    const [trace] = opened.program.audit.read({ types: ["Diagnostic"] });
    expect(trace?.data).toMatchObject({ code: "AuditPruned", pruned: 1 });
  });
});
