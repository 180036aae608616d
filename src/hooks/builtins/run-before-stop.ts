// A gate at the end of a turn: the agent goes on until the program given ends well.
import { resolve } from "node:path";
import type { ProcessEnding } from "../../core/process/command-spec.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import type { StepName } from "../../core/step/step.ts";
import { type Builtin, NO_INTERVENTION } from "./builtin.ts";
import type { BuiltinOptions } from "./options.ts";

type StopOptions = BuiltinOptions<"run-before-stop">;

const STEPS: readonly StepName[] = ["before_turn_end", "subagent_end"];
const TAIL_BYTES = 16_384;
const TAIL_CHARACTERS = 4_000;

export const runBeforeStop: Builtin<StopOptions> = {
  name: "run-before-stop",
  description: "runs a program when the agent wants to stop; while it fails the agent goes on",
  steps: STEPS,
  async decide({ argv, cwd, timeout, reason }, { envelope, root }, { env, signal }) {
    const [executable = "", ...args] = argv;
    const { runProcess } = await import("../../core/process/run.ts");
    const spec = { executable, args, env, cwd: resolve(root || envelope.cwd, cwd ?? ".") };
    const { TailBytes } = await import("../../agents/run/output/lines.ts");
    const tail = new TailBytes(TAIL_BYTES);
    // The rule's own `timeout` comes by the signal and is mostly the shorter one.
    const limits = { signal, timeoutMs: timeout, graceMs: 1_000, keepBytes: 0 };
    const ending = await runProcess(spec, {
      ...limits,
      onChunk: (_, bytes) => tail.push(bytes),
    });
    const problem = describeProblem(ending);
    if (problem === null) return NO_INTERVENTION;
    const said = `${reason ?? `\`${argv.join(" ")}\` must succeed before you stop`}: it ${problem}`;
    return {
      control: "continue",
      reason: `${maskSecrets(said)}\n${shorten(tail.text())}`.trimEnd(),
    };
  },
};

export const testsBeforeStop: Builtin<StopOptions> = {
  ...runBeforeStop,
  name: "tests-before-stop",
  description: "runs the tests when the agent wants to stop; while they fail the agent goes on",
};

function describeProblem(ending: ProcessEnding): string | null {
  switch (ending.kind) {
    case "exited":
      return ending.exitCode === 0 ? null : `ended with exit code ${ending.exitCode}`;
    case "signalled":
      return `was ended by ${ending.signal}`;
    case "timed_out":
      return "did not end in time";
    case "output_limit":
      return "printed too much";
    case "cancelled":
      throw new Error("it was cancelled or took longer than the rule's `timeout`");
    case "not_started":
      throw new Error(`it could not be started: ${ending.problem}`);
  }
}

const shorten = (text: string): string => maskSecrets(text.trimEnd()).slice(-TAIL_CHARACTERS);
