// What a running command is given: who asks, the session, questions to a person, other commands.
import type { CommandResult, Output } from "./result.ts";

export type Surface = "cli" | "hook" | "mcp" | "console" | "web" | "library" | "bench";

/** Questions to a person. They go to whatever the surface offers; without one they are rejected. */
export interface Ask {
  confirm(question: string): Promise<boolean>;
  select(question: string, choices: readonly string[]): Promise<string>;
  input(question: string, options?: { readonly secret?: boolean }): Promise<string>;
  /** Any number of them, all to begin with; where a surface has no list to tick they are asked one by one. */
  choose(question: string, choices: readonly string[]): Promise<readonly string[]>;
}

export interface ContextEnvironment {
  /** The value of a declared variable; an undeclared name is `Usage/EnvUndeclared`. */
  get(name: string): string | undefined;
  /** What a child process of this command is given: the base set, the declared names, nothing else. */
  forChild(): Record<string, string>;
}

export interface NestedRequest {
  readonly name: string;
  readonly args?: readonly string[] | Readonly<Record<string, unknown>>;
  /** Absolute; the working directory of the command that asks by default. */
  readonly workingDirectory?: string;
  /** Ends this one alone; what ends the command that asks ends it too. */
  readonly signal?: AbortSignal;
}

/** What a nested dispatch answers with; the same shape as the dispatcher's Outcome. */
interface NestedOutcome {
  readonly kind: "ok" | "failed" | "rejected" | "cancelled";
  readonly result: CommandResult;
  readonly correlationId: string;
  readonly durationMs: number;
}

/** The tools that a command may use, with their arguments. Paths are taken from the working directory. */
export interface CommandTools {
  readonly shell: {
    readonly command: string;
    readonly cwd?: string;
    /** `30s`, `10m`; the command's own limit by default. */
    readonly timeout?: string;
  };
  readonly read: { readonly path: string };
  readonly write: { readonly path: string; readonly content: string };
  readonly edit: {
    readonly path: string;
    /** It must be there, and once only unless all are meant. */
    readonly oldText: string;
    readonly newText: string;
    readonly all?: boolean;
  };
  /** Redirections are not followed: another address is another call. */
  readonly fetch: {
    readonly url: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

export interface ToolResult {
  readonly output: string;
  readonly errorOutput: string;
  /** 0 where it went well. */
  readonly exitCode: number;
}

/** A run of an agent for a command; what is left out is as the session and the settings have it. */
export interface AgentOptions {
  readonly agent?: string;
  readonly model?: string;
  /** The JSON Schema that its answer, as data, must fit. It is asked once more where it does not. */
  readonly schema?: Readonly<Record<string, JsonValue>>;
  /** Fields of the agent's configuration, as `adj agent run --set` takes them. */
  readonly params?: Readonly<Record<string, JsonValue>>;
  /** `10m`; five minutes by default. */
  readonly timeout?: string;
}

export interface AgentAnswer {
  readonly text: string;
  /** What the schema asked for; null without one. */
  readonly data: JsonValue;
  /** The log of the run, of the last where it was asked twice; its schema is published. */
  readonly log: Readonly<Record<string, unknown>>;
  /** Null where the agent does not say. */
  readonly cost: { readonly usd: number; readonly source: "output" | "estimated" } | null;
}

/** How a program that a command runs is started. */
export interface ContextRunOptions {
  /** The project by default; a relative one is taken from there. */
  readonly cwd?: string;
  /** Beside what every child of the command is given, and over it. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads; without it there is nothing to read. */
  readonly stdin?: string | Uint8Array;
  /** `30s`, `10m`; the command's own limit by default. */
  readonly timeout?: string;
  /** Show what it prints as it comes. */
  readonly live?: boolean;
}

/** How a program ended, whatever it said. */
export interface ContextRunResult {
  /** It exited with 0. */
  readonly success: boolean;
  /** As a shell reports it: 124 after its time, 128 and the signal where one ended it. */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
  /** Text, without the line break at its end. */
  readonly stdout: string;
  readonly stderr: string;
  /** More than 10 MiB came, and only the first were kept. */
  readonly truncated: boolean;
  readonly durationMs: number;
}

/** What a running command knows and may do; immutable. */
export interface CommandContext {
  readonly mode: Surface;
  /** The line as it was typed, or rebuilt by shell quoting. */
  readonly rawCommand: string;
  /** Absolute, and it existed when the command was dispatched. */
  readonly workingDirectory: string;
  /** The project: the git root, else the folder of `.adjutant`, else the working directory. Absolute. */
  readonly root: string;
  /** A person sits at a terminal; only ever true in cli and console. */
  readonly isInteractive: boolean;
  /** Something is piped into the command, to be handed on to a program it starts; only ever true in cli. */
  readonly hasPipedInput: boolean;
  /** All that is piped in; nothing where nothing is. */
  readInput(): Promise<Uint8Array>;
  /** An agent, not a person, is asking; nothing may be granted then. */
  readonly isBelowAgent: boolean;
  /** A person said `--yes` in advance; never true below an agent. */
  readonly isAgreed: boolean;
  readonly signal: AbortSignal;
  readonly correlationId: string;
  readonly session: SessionAccessor;
  readonly ask: Ask;
  readonly env: ContextEnvironment;
  /** Runs another command inside this one: same correlation, same lease, cancelled together. */
  dispatch(request: NestedRequest): Promise<NestedOutcome>;
  /**
   * Runs a program without a shell, in the project, to its end: the command's own code does it, so no hook is asked. When
   * it returns, nothing that the program started is alive; what ends the command ends it too. Any exit code is a result,
   * and only a program that cannot be started is a fault.
   *
   * @example
   * const { stdout } = await context.run(["git", "log", "-1", "--format=%s"]);
   */
  run(
    argv: readonly [program: string, ...words: string[]],
    options?: ContextRunOptions,
  ): Promise<ContextRunResult>;
  /**
   * Uses a tool like an agent would: hooks, approvals and the record are the same. Refused is a fault.
   *
   * @example
   * const { output } = await context.tool("shell", { command: "git status --short" });
   */
  tool<Name extends keyof CommandTools>(name: Name, args: CommandTools[Name]): Promise<ToolResult>;
  /**
   * Runs an agent by itself, which is no turn of the session. It ends with the command; below an agent only a command
   * whose definition says `agents: true` may.
   *
   * @example
   * const { text } = await context.agent("Summarise README.md in one line", { agent: "replay" });
   */
  agent(prompt: string, options?: AgentOptions): Promise<AgentAnswer>;
  /** A fraction from 0 to 1, or a message; shown on stderr where a person is watching. */
  progress(step: number | string): void;
  /** A line for the audit, not for the person; secrets in it are masked. */
  log(message: string): void;
  /** Live output. It is shown as it comes and must also be part of the result's output. */
  write(chunk: Output, channel?: "stdout" | "stderr"): Promise<void>;
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** What the person is in now. */
export interface SessionState {
  readonly agent: string | null;
  readonly model: string | null;
  /** Secret values stand here only as `env:NAME`. */
  readonly params: { readonly [path: string]: JsonValue };
  readonly workflow: string | null;
  /** How tools are approved; null where the settings say it. */
  readonly mode: ApprovalMode | null;
  /** What passes unasked under `allowlist` and what the person said yes to for this session, as rules of `match`. */
  readonly allow: readonly JsonValue[];
}

export const APPROVAL_MODES = ["ask", "allowlist", "auto"] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

export const EMPTY_SESSION: SessionState = {
  agent: null,
  model: null,
  params: {},
  workflow: null,
  mode: null,
  allow: [],
};

/** A command's own state in this session; no other command can reach it. */
export interface SessionSlot {
  get(): Promise<JsonValue | undefined>;
  update(
    change: (value: JsonValue | undefined) => JsonValue,
    options?: UpdateOptions,
  ): Promise<JsonValue>;
}

interface UpdateOptions {
  /** Commit at once instead of with the command's success. */
  readonly now?: boolean;
}

/** The bound view of one session that a command is given. */
export interface SessionAccessor {
  readonly id: string;
  /** A snapshot, this command's own staged changes included. */
  get(): Promise<SessionState>;
  /** Needs the lease (effect `write` or `exclusive`); staged until the command succeeds. */
  update(
    change: (state: SessionState) => SessionState,
    options?: UpdateOptions,
  ): Promise<SessionState>;
  /** This command's slot; naming another command's is `Usage/SlotAccessDenied`. */
  slot(name?: string): SessionSlot;
}
