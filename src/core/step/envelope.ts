// What a handler is told about a step. The names are those of the wire: handlers get it as one line of JSON.
import type { StepName } from "./step.ts";

/** What a tool does, whatever its agent calls it. */
export const TOOL_KINDS = [
  "shell",
  "read",
  "write",
  "edit",
  "fetch",
  "search",
  "mcp",
  "agent",
  "other",
] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** They are ordered from harmless to dangerous. */
export const SAFETIES = ["read_only", "network", "mutating", "destructive"] as const;
export type StepSafety = (typeof SAFETIES)[number];

export type NativePayload = Readonly<Record<string, unknown>>;
export type ToolArguments = Readonly<Record<string, unknown>>;

export interface Envelope {
  readonly protocol: 1;
  readonly step: StepName;
  /** The agent's name; `adjutant` for our own commands. */
  readonly agent: string;
  readonly agent_version?: string;
  readonly session_id: string;
  readonly cwd: string;
  readonly correlation_id: string;
  readonly time: string;
  /** The agent's own payload, whole. */
  readonly native: NativePayload;

  /** session_start */
  readonly source?: "new" | "resume" | "clear" | "compact";
  /** before_prompt */
  readonly prompt?: string;
  /** The tool steps. */
  readonly tool?: string;
  readonly kind?: ToolKind;
  readonly safety?: StepSafety;
  /** The tool's own, with the agent's own names; of a command, its parsed arguments. */
  readonly args?: ToolArguments;
  /** after_tool */
  readonly is_error?: boolean;
  readonly output?: string;
  /** before_turn_end, subagent_end */
  readonly stop_reason?: string | null;
  readonly continues_so_far?: number;
  /** before_compact, after_compact; null where the agent does not say */
  readonly tokens?: number | null;
  /** subagent_start, subagent_end */
  readonly agent_type?: string;
  /** notification */
  readonly text?: string;
  /** session_end */
  readonly reason?: string;
  /** before_command, after_command */
  readonly command?: string;
  readonly outcome?: {
    readonly kind: "ok" | "failed" | "rejected" | "cancelled";
    readonly exit_code: number;
  };
}

export interface IgnoreManner {
  /** It may be `git grep` that searches, and a program that skips nothing where git fails. */
  readonly byGit?: true;
  /** A file of settings, in a project or at home, that may say that nothing is skipped. */
  readonly settings?: string;
}

/** A step as the matchers see it: the envelope with what its agent's codec found in it. */
export interface StepSubject {
  readonly envelope: Envelope;
  /** The shell line, null where the tool is no shell. */
  readonly line: string | null;
  /** The files the tool call names, as written; relative ones are below the step's cwd. */
  readonly paths: readonly string[];
  /** The argument of a search by which it can be told, as a glob, which names it may open; absent where it has none. */
  readonly nameGlob?: string;
  /** Set where a search goes through the folder around a path that is no folder. */
  readonly searchesAround?: true;
  /** Set where a search, with the arguments it has, leaves out what git ignores. */
  readonly skipsIgnored?: IgnoreManner;
  /** The root of the repository that the step is in; looked up only for a line that asks git for it. */
  readonly workTree?: string;
  /** The project the session was started in. */
  readonly root: string;
  readonly home: string;
}
