// Commands that end in every way there is, and the pair of events each must leave.
import { expect } from "vitest";
import type { StoredEvent } from "../../src/core/command/event.ts";
import { type Home, makeHome } from "./adj.ts";

const command = (fields: string) =>
  `import { defineCommand, fail, ok, z } from "adjutant";\nexport default defineCommand({ description: "Ends", ${fields} });\n`;

const COMMANDS: Readonly<Record<string, string>> = {
  "config/commands/fine.js": command('run: () => ok("fine")'),
  "config/commands/count.js": command(
    "args: z.object({ times: z.number().int().meta({ positional: 0 }) }), run: ({ times }) => ok(String(times))",
  ),
  "config/commands/throwing.js": command('run: () => { throw new RangeError("out of range"); }'),
  "config/commands/seven.js": command('run: () => fail("no such branch", 7)'),
  "config/commands/odd.js": command("run: () => ({ success: true, exitCode: 3 })"),
  "config/commands/slow.js": command(
    'timeout: "200ms", run: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))',
  ),
  "config/commands/deaf.js": command('timeout: "200ms", run: () => new Promise(() => undefined)'),
  "config/commands/stuck.js": command("run: () => new Promise(() => undefined)"),
  "config/commands/late.js": command(
    'run: () => new Promise(() => setTimeout(() => { throw new Error("too late"); }, 10))',
  ),
  "config/commands/waiting.js": command(
    'run: async (_, { signal, write }) => { await write("ready\\n"); const timer = setInterval(() => undefined, 1000); await new Promise((resolve) => signal.addEventListener("abort", resolve)); clearInterval(timer); return ok("ready\\n"); }',
  ),
  "config/commands/wipe.js": command('safety: "destructive", run: () => ok("gone")'),
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

export function makeEndings(): Home {
  const home = makeHome();
  home.write(COMMANDS);
  return home;
}

export interface Ending {
  readonly line: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly kind: "ok" | "failed" | "rejected" | "cancelled";
  /** Class and code, or null where the command ended by itself. */
  readonly error: readonly [string, string] | null;
}

export function expectPair(
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
