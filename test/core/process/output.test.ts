import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeptOutput } from "../../../src/core/process/output.ts";
import { runProcess } from "../../../src/core/process/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { inTier } from "../../support/tier.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { fixture, shell, textOf } from "./programs.ts";

describe("output as it comes", () => {
  it("each channel arrives in order and whole, at the pace of its consumer", async () => {
    const taken = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
    const busy = { stdout: false, stderr: false };
    const ending = await runProcess(shell("seq 1 50000; seq 1 50000 >&2"), {
      onChunk: async (channel, bytes) => {
        expect(busy[channel]).toBe(false);
        busy[channel] = true;
        await new Promise((resolve) => setImmediate(resolve));
        busy[channel] = false;
        taken[channel].push(Buffer.from(bytes));
      },
    });
    expect(Buffer.concat(taken.stdout).equals(ending.stdout)).toBe(true);
    expect(Buffer.concat(taken.stderr).equals(ending.stderr)).toBe(true);
    expect(textOf(ending.stdout).split("\n")).toHaveLength(50_001);
  });

  it("a consumer that waits makes the child wait", async () => {
    const folder = temporaryFolder();
    const count = join(folder, "count");
    const spec = shell(
      'while :; do head -c 65536 /dev/zero || exit; printf x >> "$0"; done',
      count,
    );
    const blocks = () => statSync(count, { throwIfNoEntry: false })?.size ?? 0;
    const controller = new AbortController();
    let [first, later] = [0, 0];
    await runProcess(
      { ...spec, args: spec.args.toSpliced(2, 1) },
      {
        signal: controller.signal,
        onChunk: async () => {
          // The pipe is full when the child has written nothing more for a while.
          let still = 0;
          await waitUntil(() => {
            still = blocks() === first ? still + 1 : 0;
            first = blocks();
            return still > 40;
          });
          later = blocks();
          controller.abort();
        },
      },
    );
    expect(later).toBe(first);
    expect(later).toBeLessThan(40);
  });

  it("an unread rest after the exit is still handed over, however slow the consumer", async () => {
    let seen = 0;
    const ending = await runProcess(shell("head -c 300000 /dev/zero"), {
      onChunk: async (_channel, bytes) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        seen += bytes.length;
      },
    });
    expect(ending).toMatchObject({ kind: "exited", exitCode: 0, truncated: false });
    expect(seen).toBe(300_000);
  });

  it("a child that closes stdout early goes on to its own end", async () => {
    const ending = await runProcess(fixture("close-stdout.sh"));
    expect(ending).toMatchObject({ kind: "exited", exitCode: 4, ioProblem: null });
    expect([textOf(ending.stdout), textOf(ending.stderr)]).toEqual(["before\n", "after\n"]);
  });

  it("bytes that are no text pass unchanged, also when they come one by one", async () => {
    const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const echoed = await runProcess(
      { ...shell(""), executable: "cat", args: [] },
      { stdin: every },
    );
    expect(every.equals(echoed.stdout)).toBe(true);
    const slow = await runProcess(fixture("write-slowly.mjs", "häl😀"));
    expect(textOf(slow.stdout)).toBe("häl😀");
  });
});

describe("what is kept", () => {
  it.each([
    { bytes: 100, keepBytes: 100, kept: 100, truncated: false },
    { bytes: 101, keepBytes: 100, kept: 100, truncated: true },
    { bytes: 300_000, keepBytes: 65_537, kept: 65_537, truncated: true },
    { bytes: 10, keepBytes: 0, kept: 0, truncated: true },
    { bytes: 0, keepBytes: 0, kept: 0, truncated: false },
    { bytes: 10_485_761, keepBytes: undefined, kept: 10_485_760, truncated: true },
  ])(
    "of $bytes bytes with room for $keepBytes: $kept",
    async ({ bytes, keepBytes, kept, truncated }) => {
      const spec = shell('head -c "$1" /dev/zero', String(bytes));
      const ending = await runProcess(spec, keepBytes === undefined ? {} : { keepBytes });
      expect(ending).toMatchObject({ kind: "exited", exitCode: 0, truncated });
      expect(ending.stdout).toHaveLength(kept);
    },
  );

  it("is counted over both channels together, or over each", async () => {
    const spec = shell("head -c 80 /dev/zero; head -c 80 /dev/zero >&2");
    const both = await runProcess(spec, { keepBytes: 100, keepOver: "both" });
    expect(both.stdout.length + both.stderr.length).toBe(100);
    expect(both.truncated).toBe(true);
    const each = await runProcess(spec, { keepBytes: 100, keepOver: "each" });
    expect([each.stdout.length, each.stderr.length, each.truncated]).toEqual([80, 80, false]);
  });

  it("is the beginning of each channel, to the byte, whatever the pieces", () => {
    const piece = fc.record({
      channel: fc.constantFrom("stdout", "stderr"),
      bytes: fc.uint8Array({ maxLength: 30 }),
    });
    fc.assert(
      fc.property(fc.array(piece), fc.nat(200), (pieces, limit) => {
        const kept = createKeptOutput(limit, "each");
        for (const { channel, bytes } of pieces) kept.keep(channel, bytes);
        const result = kept.take();
        let isMore = false;
        for (const channel of ["stdout", "stderr"] as const) {
          const own = pieces.filter((each) => each.channel === channel).map((each) => each.bytes);
          const whole = Buffer.concat(own);
          expect(whole.subarray(0, limit).equals(result[channel])).toBe(true);
          isMore ||= whole.length > limit;
        }
        expect(result.truncated).toBe(isMore);
      }),
    );
  });
});

describe("a limit on a channel", () => {
  it("of exactly as many bytes as come lets the run end by itself", async () => {
    const outputLimit = { stdout: { bytes: 1_000_000, action: "kill" } } as const;
    const ending = await runProcess(shell("head -c 1000000 /dev/zero"), { outputLimit });
    expect(ending).toMatchObject({ kind: "exited", exitCode: 0, truncated: false });
  });

  it("ends the run one byte later, with what lies under it", async () => {
    const outputLimit = { stdout: { bytes: 1_000_000, action: "kill" } } as const;
    let seen = 0;
    const ending = await runProcess(shell("head -c 1000001 /dev/zero; sleep 300"), {
      outputLimit,
      onChunk: (_channel, bytes) => {
        seen += bytes.length;
      },
    });
    expect(ending).toMatchObject({ kind: "output_limit", signal: "SIGTERM", truncated: true });
    expect([ending.stdout.length, seen]).toEqual([1_000_000, 1_000_000]);
  });

  it("counts also for a program that ended before it could be stopped", async () => {
    const outputLimit = { stdout: { bytes: 3, action: "kill" } } as const;
    const ending = await runProcess(shell("printf 1234"), { outputLimit });
    expect(ending.kind).toBe("output_limit");
    expect(textOf(ending.stdout)).toBe("123");
  });

  it("may also only throw the rest away, on that channel alone", async () => {
    const outputLimit = { stderr: { bytes: 10, action: "discard" } } as const;
    const spec = shell("head -c 5000000 /dev/zero >&2; printf whole");
    const ending = await runProcess(spec, { outputLimit });
    expect(ending).toMatchObject({ kind: "exited", exitCode: 0, truncated: true });
    expect([ending.stderr.length, textOf(ending.stdout)]).toEqual([10, "whole"]);
  });
});

describe("raw files", () => {
  async function saveRaw(command: string, limitBytes: number, secrets: string[] | null = []) {
    const folder = temporaryFolder();
    const paths = { stdout: join(folder, "out"), stderr: join(folder, "err") };
    const rawFiles = { ...paths, limitBytes, secrets };
    const ending = await runProcess(shell(command), { rawFiles, keepBytes: 5 });
    return {
      ending,
      out: readFileSync(paths.stdout, "latin1"),
      err: readFileSync(paths.stderr, "latin1"),
      paths,
    };
  }

  it("hold what came of a flood as soon as it pauses, masked", async () => {
    const folder = temporaryFolder();
    const [out, go] = [join(folder, "out"), join(folder, "go")];
    const flood = "yes 'a line of the flood' | head -c 2000000; printf 'secret-value paused\\n'";
    const command = `${flood}; until [ -e '${go}' ]; do sleep 0.02; done`;
    const rawFiles = { stdout: out, stderr: join(folder, "err"), secrets: ["secret-value"] };
    const ending = runProcess(shell(command), { rawFiles });
    await waitUntil(() => existsSync(out) && statSync(out).size > 2_000_000 - 1024);
    writeFileSync(go, "");
    expect(await ending).toMatchObject({ kind: "exited", exitCode: 0, ioProblem: null });
    expect(readFileSync(out, "utf8").endsWith("[secret] paused\n")).toBe(true);
  });

  it("hold all of a flood in its order, masked", async () => {
    const command = "seq -f 'line %.0f has secret-value in it' 100000";
    const { out } = await saveRaw(command, 100_000_000, ["secret-value"]);
    const lines = Array.from({ length: 100_000 }, (_, at) => `line ${at + 1} has [secret] in it\n`);
    expect(out === lines.join("")).toBe(true);
  });

  it("hold all that came, also what was not kept, for nobody else to read", async () => {
    const saved = await saveRaw("printf '\\033[1mlong output'; printf '\\377' >&2", 1_000);
    expect([saved.out, saved.err]).toEqual(["\u001b[1mlong output", "\u00ff"]);
    expect(saved.ending).toMatchObject({ truncated: true, ioProblem: null });
    expect(statSync(saved.paths.stdout).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["printf 12345", "12345"],
    ["printf 123456", "12345\n[OUTPUT TRUNCATED at 5 bytes]\n"],
    ["printf '1234\\n6'", "1234\n[OUTPUT TRUNCATED at 5 bytes]\n"],
    [
      "printf 123; sleep 0.05; printf 45; sleep 0.05; printf 67; sleep 0.05; printf 89",
      "12345\n[OUTPUT TRUNCATED at 5 bytes]\n",
    ],
  ])("with a limit of 5 bytes, after %s, hold %j", async (command, content) => {
    expect((await saveRaw(command, 5)).out).toBe(content);
  });

  it("hold no secret, also where it came in two pieces, unless they are to hold what came", async () => {
    const token = ["ghp", "a1B2c3D4e5".repeat(4)].join("_");
    const command = `printf '\\033[31m${token.slice(0, 9)}'; sleep 0.05; printf '${token.slice(9)}\\033[0m Zq7-x\\377'`;
    const masked = await saveRaw(command, 1_000, ["Zq7-x"]);
    expect(masked.out).toBe("\u001b[31m[secret]\u001b[0m [secret]\u00ff");
    const raw = await saveRaw(command, 1_000, null);
    expect(raw.out).toBe(`\u001b[31m${token}\u001b[0m Zq7-x\u00ff`);
  });

  it("a file that cannot be made means nothing is started", async () => {
    const folder = temporaryFolder();
    const rawFiles = {
      stdout: join(folder, "out"),
      stderr: join(folder, "no/such/folder"),
      secrets: [],
    };
    const ending = await runProcess({ ...shell("touch started"), cwd: folder }, { rawFiles });
    expect(ending).toMatchObject({ kind: "not_started", code: "ENOENT", pid: null });
    expect(ending).toHaveProperty("problem", expect.stringContaining("cannot be saved"));
    expect(statSync(join(folder, "started"), { throwIfNoEntry: false })).toBeUndefined();
  });

  it("a disk that is full is reported, and the run goes on", async () => {
    const rawFiles = { stdout: "/dev/full", stderr: "/dev/null", secrets: [] };
    const ending = await runProcess(shell("echo one; sleep 0.05; echo two"), { rawFiles });
    expect(ending).toMatchObject({ kind: "exited", exitCode: 0 });
    expect(textOf(ending.stdout)).toBe("one\ntwo\n");
    expect(ending.ioProblem).toMatch(/`\/dev\/full` cannot be written: ENOSPC/);
  });
});

describe("memory", () => {
  it("grows by less than 100 MB whatever a child floods", { timeout: 180_000 }, async () => {
    const bytes = inTier(1024 ** 3 / 4, 1024 ** 3);
    const ending = await runProcess(fixture("measure-flood.ts", String(bytes)));
    expect(textOf(ending.stderr)).toBe("");
    const report = JSON.parse(textOf(ending.stdout));
    expect(report).toMatchObject({
      kind: "exited",
      truncated: true,
      kept: 10_485_760,
      seen: bytes,
    });
    expect(report.lines).toBe(Math.floor(bytes / 46));
    expect(report.growth).toBeLessThan(100_000_000);
  });
});
