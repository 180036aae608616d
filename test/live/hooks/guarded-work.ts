// What the scripted model does while our rules look on, and what came of it: one run shows a whole list of things.
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Scenario } from "../../../src/sim/scenario.ts";
import { readLatest } from "../../../src/sim/wire.ts";
import type { GuardedDrive } from "./drive-guarded.ts";

const INSTEAD = "adj run lines | wc -l";

const CALLS = {
  byRule: { tool: "shell", command: "touch by-rule" },
  byProgram: { tool: "shell", command: "touch by-program" },
  byScript: { tool: "shell", command: "touch by-script" },
  rewritten: { tool: "shell", command: "touch as-typed" },
  written: { tool: "write", path: "notes.txt", content: "draft\n" },
  inContext: { tool: "shell", command: "echo in-context" },
  real: { tool: "shell", command: "./exact" },
  virtual: { tool: "shell", command: "adj-exact" },
  piped: { tool: "shell", command: "adj-lines | wc -l" },
} as const;
type Call = keyof typeof CALLS | "pipedInstead";
const NUMBERS: readonly string[] = [...Object.keys(CALLS), "pipedInstead"];

/** More than the model will be asked for, so that one time too many is seen. */
export const ENDINGS = [1, 2, 3, 4, 5].map((count) => ({ text: `Done ${count}.` }));

export const GUARDED_WORK: Scenario = {
  turns: [
    ...Object.values(CALLS).map((call) => ({ tool_calls: [call] })),
    // What it is told to type instead, it types.
    {
      when: { tool_result: { contains: INSTEAD } },
      tool_calls: [{ tool: "shell", command: INSTEAD }],
    },
    ...ENDINGS,
  ],
};

/** What the model was told of a call. */
function resultOf({ turns }: GuardedDrive, call: Call): string {
  const number = NUMBERS.indexOf(call) + 1;
  const at = turns.findIndex(({ answered }) => answered === `turn ${number}`);
  const request = at < 0 ? null : turns[at + 1]?.request;
  return request ? readLatest(request).toolResults : "";
}

const isThere = ({ place }: GuardedDrive, name: string): boolean =>
  existsSync(join(place.workspace, name));

export function observeWork(drive: GuardedDrive) {
  return {
    deny: observeRefusal(drive, { call: "byRule", file: "by-rule", reason: "A RULE" }),
    exitTwo: observeRefusal(drive, { call: "byProgram", file: "by-program", reason: "A PROGRAM" }),
    claudeGuard: observeRefusal(drive, { call: "byScript", file: "by-script", reason: "A SCRIPT" }),
    rewrite: observeRewrite(drive),
    claudeRewrite: observeFile(drive),
    context: observeContext(drive),
    virtual: observeVirtual(drive),
    pipeline: observePipeline(drive),
    gate: observeGate(drive),
  };
}

interface Refused {
  readonly call: Call;
  readonly file: string;
  readonly reason: string;
}

function observeRefusal(drive: GuardedDrive, { call, file, reason }: Refused): string {
  if (isThere(drive, file)) return "it ran";
  return resultOf(drive, call).includes(`REFUSED BY ${reason}`) ? "yes" : "without the reason";
}

const NEW_ARGUMENTS = "refused, with the arguments to use";

function observeRewrite(drive: GuardedDrive): string {
  const told = resultOf(drive, "rewritten");
  if (isThere(drive, "as-typed")) return "it ran as typed";
  if (isThere(drive, "rewritten")) return told.includes("DONE AS REWRITTEN") ? "yes" : "unseen";
  return told.includes("touch rewritten && echo") ? NEW_ARGUMENTS : "nothing ran";
}

function observeFile(drive: GuardedDrive): string {
  if (!isThere(drive, "notes.txt"))
    return resultOf(drive, "written").includes("final") ? NEW_ARGUMENTS : "nothing was written";
  const content = readFileSync(join(drive.place.workspace, "notes.txt"), "utf8");
  return content === "final\n" ? "yes" : "it was written as it was";
}

const CONTEXT_STEPS = ["session_start", "before_prompt", "before_tool", "after_tool"];

function observeContext({ turns }: GuardedDrive): string {
  const lost = CONTEXT_STEPS.filter(
    (step) => !turns.some(({ body }) => body.includes(`CONTEXT OF ${step}`)),
  );
  return lost.length === 0 ? "yes" : `not at ${lost.map((step) => `\`${step}\``).join(", ")}`;
}

// What differs between any two calls: ids, times, process groups; in Qwen Code also the command itself.
const NOISE = /^(Chunk ID|Wall time|Process Group PGID|Command): .*$|(?<=<shellId: )\d+/gm;
const NOTE = "\n\n[System] Tool input parameters were modified by a hook before execution.";

/** A program that prints the same bytes and ends with the same exit code is the measure. */
function observeVirtual(drive: GuardedDrive): string {
  const bytes = spawnSync(join(drive.place.workspace, "exact"), { encoding: "utf8" });
  const real = withoutOrder(resultOf(drive, "real"), bytes.stderr);
  const told = withoutOrder(resultOf(drive, "virtual"), bytes.stderr);
  if (!real.includes(bytes.stdout.trimEnd()) || real.includes(bytes.stderr))
    return "not to be told";
  if (told === real) return "yes, the same bytes";
  if (told === real + NOTE) return "yes, the same bytes and a note that a hook changed the call";
  return resultOf(drive, "virtual") === refusalOf(bytes) ? "as the reason of a refusal" : "no";
}

/** Codex mixes the two streams as they happen to come, be it a real program or not. */
const withoutOrder = (result: string, stderr: string): string =>
  result.replaceAll(NOISE, "").replace(stderr, "");

function refusalOf({ stdout, stderr, status }: SpawnSyncReturns<string>): string {
  const head = "not run by the shell: adj answered `adj-exact`; what follows is its output";
  return `${head} (exit code ${status})\n${stdout}\nerror output:\n${stderr}`;
}

function observePipeline(drive: GuardedDrive): string {
  const isThree = (text: string) => /^(Output: )?\s*3$/m.test(text);
  const told = resultOf(drive, "piped");
  if (told.includes(INSTEAD))
    return isThree(resultOf(drive, "pipedInstead")) ? "told to type `adj run`" : "told what fails";
  return isThree(told) ? "yes" : "no";
}

/** How often the reason came back as the next thing to do; the agent then ended by itself. */
export function observeGate({ turns, exitCode, place }: GuardedDrive): string {
  const held = turns.filter(
    ({ request }) => request && readLatest(request).user.includes("NOT YET"),
  );
  if (exitCode !== 0) return `ended with ${exitCode}`;
  if (held.length > 0) return `yes, ${held.length} times`;
  return `no, \`${place.agent} run\` ends first`;
}
