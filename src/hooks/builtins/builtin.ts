// A handler that comes with the program: `run: { builtin: NAME, with: {…} }`.
import type { OptionsReading } from "../../command/options-reading.ts";
import type { StepName } from "../step.ts";
import type { StepSubject } from "../subject.ts";
import type { Verdict } from "../verdict.ts";

export interface BuiltinPlace {
  /** The rule it runs for. */
  readonly rule: string;
  readonly stateDir: string;
  readonly now: Date;
  /** The environment a handler process would get. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface Builtin<Options = unknown> {
  readonly name: string;
  readonly description: string;
  /** Where it has something to say; a rule on another step is a configuration error. */
  readonly steps: readonly StepName[];
  readOptions(raw: unknown): OptionsReading<Options>;
  decide(options: Options, subject: StepSubject, place: BuiltinPlace): Verdict | Promise<Verdict>;
}
