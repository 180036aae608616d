// What every agent's adapter is. An adapter is stateless and knows its own agent only; adding one is
// adding a folder and a line in the roster.
import type { CommandSpec } from "../../core/process/command-spec.ts";
import type { ExactValues } from "../../core/secrets/mask.ts";
import type { ToolKind } from "../../core/step/envelope.ts";
import type { CollectedLog } from "../log/collect-log.ts";
import type { LogEvent } from "../log/event.ts";
import type { ErrorRecord, Execution } from "../log/run-log.ts";
import type { AgentCapabilities } from "./capabilities.ts";
import type { AgentConfig, ConfigCheck } from "./config.ts";
import type { StepHookEntry } from "./conversation.ts";
import type { Login } from "./login.ts";
import type { OutputDialect } from "./output/parser.ts";

export interface AgentExecutionContext {
  /** Absolute. */
  readonly workspaceDir: string;
  readonly config: AgentConfig;
  /** Milliseconds; 0 is none. */
  readonly timeout: number;
  /** The whole environment of the agent. */
  readonly env: Readonly<Record<string, string>>;
  readonly runId: string;
  /** Absolute; raw output and files for the agent go here. */
  readonly logDir: string;
  /** Where the program was found; its bare name otherwise. */
  readonly program?: string;
  readonly agentVersion?: string | null;
  /** Words and variables by which it takes no hooks and servers from the project. */
  readonly withoutProject?: {
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** Hooks that this one run calls, beside those of the user's own files. */
  readonly ownHooks?: StepHookEntry;
  /** The prompt is among the further arguments, so nothing is piped in. */
  readonly isPromptInArguments?: boolean;
  /** Every program of the run is started as this says. */
  readonly wrap?: WrapProgram | undefined;
  /** Values that nothing on the disk may hold, beside those that look like secrets. */
  readonly secrets?: ExactValues;
}

/** A command line that runs another one, in a sandbox say; `TMPDIR` is a folder of this run's own. */
export type WrapProgram = (
  command: CommandSpec & Partial<Pick<AgentCommand, "files" | "reportPath">>,
) => Promise<CommandSpec>;

/** A file that must be there before the agent starts. */
export interface AgentFile {
  readonly path: string;
  readonly text: string;
}

export interface AgentCommand extends CommandSpec {
  readonly stdin?: string;
  /** Milliseconds; 0 is none. */
  readonly timeout: number;
  readonly files: readonly AgentFile[];
  /** A file the agent writes figures into that its output does not have. */
  readonly reportPath: string | null;
  readonly outputFormat: OutputFormat;
}

/** Whether stdout is made of JSON events, is plain text, or is still to be found out. */
export type OutputFormat = "structured" | "text" | "auto";

export interface AgentExecutionResult {
  readonly execution: Execution;
  readonly stdoutPath: string | null;
  readonly stderrPath: string | null;
  /** What was printed, without escape sequences, up to 10 MiB. */
  readonly output: string;
  readonly truncated: boolean;
  readonly errors: readonly ErrorRecord[];
  /** What the output said, for the log. */
  readonly collected: CollectedLog;
  /** The program that was started and its arguments; null where none was. */
  readonly command: StartedCommand | null;
}

type StartedCommand = Pick<AgentCommand, "executable" | "args">;

/** A run whose configuration has been checked and whose command line is built. */
export interface AgentRunPlan {
  readonly context: AgentExecutionContext;
  readonly command: AgentCommand;
}

export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: LogEvent) => void;
  /** The figures that the agent tells are those of a whole conversation, of which this run is only the last part. */
  readonly countsOn?: boolean;
  /** Each raw file is whole up to here; 1 GiB by default. With 0 there are none. */
  readonly rawLimitBytes?: number;
  /** The raw files have the output as it came; else secrets are masked in them. */
  readonly isRaw?: boolean;
  /** Texts that the raw files must not hold, beside those that look like secrets. */
  readonly secrets?: ExactValues;
}

export interface AgentAdapter {
  readonly name: string;
  /** Semver of the adapter, not of the agent. */
  readonly version: string;
  /** Before every error code: `CLAUDE` gives `CLAUDE_TIMEOUT`. */
  readonly codePrefix: string;
  /** The executable's name on PATH; null where there is no program to find. */
  readonly program: string | null;
  readonly versionArgs: readonly string[];
  /** How to get it, for a person. */
  readonly installHint: string;
  readonly provider: string | null;
  readonly login: Login;
  /** Beginnings of the variables that are this agent's own, beside those of its login. */
  readonly variablePrefixes: readonly string[];
  capabilities(version: string | null): AgentCapabilities;
  /** Pure: all problems at once, or a frozen configuration. */
  checkConfig(raw: unknown, context: ConfigContext): ConfigCheck;
  /** Pure. */
  buildCommand(context: AgentExecutionContext): AgentCommand;
  /** What a tool does, by the name that this agent gives it. */
  kindOfTool(name: string): ToolKind;
  /** A fresh reader of this agent's output. */
  createDialect(): OutputDialect;
  /** How a run goes on with an earlier one; absent where it cannot. */
  readonly resuming?: ResumeRules;
  /** For agents that are not simply a program that prints. */
  execute?(plan: AgentRunPlan, options: ExecuteOptions): Promise<AgentExecutionResult>;
}

interface ResumeRules {
  /** In a conversation that is taken up again its figures have those of the past turns in them. */
  readonly countsOn?: boolean;
  /** What the agent prints where it knows no conversation of that id. */
  readonly unknown: RegExp;
  /** What an id looks like, where the agent would silently begin anew with one that does not. */
  readonly id?: RegExp;
  /** Variables by which it changes nothing unasked, where its mode `ask` alone would let it. */
  readonly strictEnv?: Readonly<Record<string, string>>;
  /** A hook of one run can refuse what it does then, and permit nothing that its mode `ask` keeps from the model. */
  readonly hooksOnlyRefuse?: boolean;
}

/** What a configuration is checked against. */
export interface ConfigContext {
  readonly agentVersion: string | null;
  readonly isRoot: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** The text of `prompt_file`, read by the caller; null where there is none. */
  readonly promptFileText?: string | null;
  /** A prompt that Adjutant assembled has its own budget. */
  readonly isPromptBounded?: boolean;
  /** Further arguments were looked at where they were written, and a user may have insisted on one. */
  readonly areArgumentsChecked?: boolean;
}
