// Every way a command can end, by the real program: what is printed, the exit code, and two events.
import { describe, expect, test } from "vitest";
import type { StoredEvent } from "../../src/dispatch/event.ts";
import { isRunning } from "../process/programs.ts";
import { waitUntil } from "../storage/wait-until.ts";
import { type Home, makeHome } from "./adj.ts";

const command = (fields: string) =>
  `import { defineCommand, fail, ok, z } from "adjutant";\nexport default defineCommand({ description: "Ends", ${fields} });\n`;

const COMMANDS: Readonly<Record<string, string>> = {
  "config/commands/fine.ts": command('run: () => ok("fine")'),
  "config/commands/count.ts": command(
    "args: z.object({ times: z.number().int().meta({ positional: 0 }) }), run: ({ times }) => ok(String(times))",
  ),
  "config/commands/throwing.ts": command('run: () => { throw new RangeError("out of range"); }'),
  "config/commands/seven.ts": command('run: () => fail("no such branch", 7)'),
  "config/commands/odd.ts": command("run: () => ({ success: true, exitCode: 3 })"),
  "config/commands/slow.ts": command(
    'timeout: "200ms", run: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))',
  ),
  "config/commands/deaf.ts": command('timeout: "200ms", run: () => new Promise(() => undefined)'),
  "config/commands/stuck.ts": command("run: () => new Promise(() => undefined)"),
  "config/commands/late.ts": command(
    'run: () => new Promise(() => setTimeout(() => { throw new Error("too late"); }, 10))',
  ),
  "config/commands/waiting.ts": command(
    'run: async (_, { signal, write }) => { await write("ready\\n"); const timer = setInterval(() => undefined, 1000); await new Promise((resolve) => signal.addEventListener("abort", resolve)); clearInterval(timer); return ok("ready\\n"); }',
  ),
  "config/commands/wipe.ts": command('safety: "destructive", run: () => ok("gone")'),
  "config/commands.yaml": `
fine-program: { description: Ends, argv: [echo, fine] }
seven-program: { description: Ends, shell: sh, command: "echo out; echo err >&2; exit 7" }
missing-program: { description: Ends, argv: [no-such-program] }
slow-program: { description: Ends, shell: sh, command: "sleep 600 & echo $! $$; wait", timeout: 300ms }
stubborn-program:
  description: Ends
  shell: sh
  command: |
    exec 2>&-
    trap 'sleep 0.3; echo tidied; exit 5' TERM
    echo $$ ready
    while :; do sleep 0.05; done
endless-program:
  description: Ends
  shell: sh
  command: |
    trap '' TERM
    echo $$ ready
    while :; do sleep 0.05; done
wipe-program: { description: Ends, argv: [echo, gone], safety: destructive }
`,
};

function makeEndings(): Home {
  const home = makeHome();
  home.write(COMMANDS);
  return home;
}

interface Ending {
  readonly line: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly kind: "ok" | "failed" | "rejected" | "cancelled";
  /** Class and code, or null where the command ended by itself. */
  readonly error: readonly [string, string] | null;
}

const UNASKED = "needs a person's consent and there is nobody to ask; `--yes` allows it";

const ENDINGS: readonly Ending[] = [
  { line: "fine", exitCode: 0, stdout: "fine\n", stderr: "", kind: "ok", error: null },
  { line: "fine-program", exitCode: 0, stdout: "fine\n", stderr: "", kind: "ok", error: null },
  {
    line: "count many",
    exitCode: 2,
    stdout: "",
    stderr: "adj: `count`: `<times>` must be a number; see `adj help count`\n",
    kind: "rejected",
    error: ["Usage", "ArgumentsInvalid"],
  },
  {
    line: "count 3 --lout",
    exitCode: 2,
    stdout: "",
    stderr: "adj: unknown flag `--lout` of `count`; see `adj help count`\n",
    kind: "rejected",
    error: ["Usage", "FlagUnknown"],
  },
  {
    line: "throwing",
    exitCode: 1,
    stdout: "",
    stderr: "adj: `throwing` threw: out of range\n",
    kind: "failed",
    error: ["Internal", "HandlerThrew"],
  },
  {
    line: "late",
    exitCode: 1,
    stdout: "",
    stderr: "adj: `late` threw: too late\n",
    kind: "failed",
    error: ["Internal", "HandlerThrew"],
  },
  {
    line: "stuck",
    exitCode: 1,
    stdout: "",
    stderr: "adj: `stuck` waits for something that can no longer happen\n",
    kind: "failed",
    error: ["Internal", "HandlerStuck"],
  },
  {
    line: "odd",
    exitCode: 70,
    stdout: "",
    stderr:
      "adj: `odd` returned an invalid result: `success` does not agree with `exitCode`; build it with `ok(…)` or `fail(…)`\n",
    kind: "failed",
    error: ["Internal", "ResultInvalid"],
  },
  {
    line: "seven",
    exitCode: 7,
    stdout: "",
    stderr: "no such branch\n",
    kind: "failed",
    error: null,
  },
  {
    line: "seven-program",
    exitCode: 7,
    stdout: "out\n",
    stderr: "err\n",
    kind: "failed",
    error: null,
  },
  {
    line: "missing-program",
    exitCode: 127,
    stdout: "",
    stderr:
      "adj: `no-such-program` could not be started: there is no such program on PATH; check its definition in `CONFIG`\n",
    kind: "failed",
    error: ["Process", "SpawnFailed"],
  },
  ...["slow", "deaf"].map((line) => ({
    line,
    exitCode: 124,
    stdout: "",
    stderr: `adj: \`${line}\` did not finish within 200 ms\n`,
    kind: "failed" as const,
    error: ["Timeout", "CommandTimeout"] as const,
  })),
  ...["wipe", "wipe-program"].flatMap((line) => [
    {
      line,
      exitCode: 126,
      stdout: "",
      stderr: `adj: \`${line}\` ${UNASKED}\n`,
      kind: "rejected" as const,
      error: ["Consent", "Required"] as const,
    },
    {
      line: `--yes ${line}`,
      exitCode: 0,
      stdout: "gone\n",
      stderr: "",
      kind: "ok" as const,
      error: null,
    },
  ]),
];

function expectPair(
  events: readonly StoredEvent[],
  { exitCode, kind, error }: Omit<Ending, "line" | "stdout" | "stderr">,
) {
  const [dispatched, resulted, ...more] = events;
  const [faultClass, code] = error ?? [null, null];
  expect(more).toEqual([]);
  expect(dispatched).toMatchObject({ type: "CommandDispatched", origin: { surface: "cli" } });
  expect(resulted).toMatchObject({
    type: "CommandResulted",
    correlationId: dispatched?.correlationId,
    causationId: String(dispatched?.seq),
    sessionId: dispatched?.sessionId,
    origin: { surface: "cli" },
    data: {
      name: dispatched?.data.name,
      outcome: { kind, exitCode, class: faultClass, code, durationMs: expect.any(Number) },
    },
  });
}

describe("a command leaves what it printed, its exit code and exactly two events", () => {
  test.each(ENDINGS)("adj $line → $exitCode", async (ending) => {
    const { line, exitCode, stdout } = ending;
    const home = makeEndings();
    const stderr = ending.stderr.replace("CONFIG", home.configDir);
    expect(await home.adj(...line.split(" "))).toMatchObject({ exitCode, stdout, stderr });
    expectPair(await home.events(), ending);
  });
});

const pidsIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

describe("nothing that a command started stays behind", () => {
  test("a program that takes too long is ended with its children", async () => {
    const home = makeEndings();
    const { stdout, ...rest } = await home.adj("slow-program");
    expect(rest).toMatchObject({
      exitCode: 124,
      stderr: "adj: `slow-program` did not finish within 300 ms\n",
    });
    expect(pidsIn(stdout)).toHaveLength(2);
    expect(pidsIn(stdout).filter(isRunning)).toEqual([]);
    const ending = { exitCode: 124, kind: "failed", error: ["Timeout", "CommandTimeout"] } as const;
    expectPair(await home.events(), ending);
  });

  const SIGNALS = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const;
  const CANCELLED = { kind: "cancelled", error: ["Cancelled", "Cancelled"] } as const;

  test.each(SIGNALS)("%s while a handler runs", async (signal, exitCode) => {
    const home = makeEndings();
    const { child, printed, ended } = home.start("waiting");
    await printed("ready");
    child.kill(signal);
    const stderr = "adj: `waiting` was cancelled\n";
    expect(await ended).toMatchObject({ exitCode, stdout: "ready\n", stderr });
    expectPair(await home.events(), { ...CANCELLED, exitCode });
  });

  test.each(SIGNALS)("%s while a program runs that takes its time", async (signal, exitCode) => {
    const home = makeEndings();
    const { child, printed, ended } = home.start("stubborn-program");
    await printed("ready");
    child.kill(signal);
    const { stdout, ...rest } = await ended;
    const [pid = 0] = pidsIn(stdout);
    expect(stdout).toBe(`${pid} ready\ntidied\n`);
    expect(rest).toMatchObject({ exitCode, stderr: "adj: `stubborn-program` was cancelled\n" });
    expect(isRunning(pid)).toBe(false);
    expectPair(await home.events(), { ...CANCELLED, exitCode });
  });

  test("a second signal does not wait for a program that will not end", async () => {
    const home = makeEndings();
    const { child, printed, ended } = home.start("endless-program");
    await printed("ready");
    child.kill("SIGINT");
    child.kill("SIGTERM");
    const { stdout, exitCode } = await ended;
    expect(exitCode).toBe(143);
    await waitUntil(() => !pidsIn(stdout).some(isRunning));
    const ending = { exitCode: 1, kind: "failed", error: ["Internal", "ProcessLost"] } as const;
    await home.adj("fine");
    const [dispatched, lost] = await home.events();
    expectPair(
      [dispatched, lost].filter((event) => event !== undefined),
      ending,
    );
  });
});

test("a name that nobody answers to leaves one event and up to three suggestions", async () => {
  const home = makeEndings();
  expect(await home.adj("fin", "secret")).toMatchObject({
    exitCode: 127,
    stdout: "",
    stderr: "adj: unknown command `fin`; did you mean `fine`? list all with `adj commands`\n",
  });
  expect(await home.events()).toMatchObject([{ type: "CommandUnknown", data: { name: "fin" } }]);
});
