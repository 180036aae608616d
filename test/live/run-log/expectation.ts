import type { Execution, RunLog } from "../../../src/agents/log/run-log.ts";
import type { ToolKind } from "../../../src/core/step/envelope.ts";
import type { LabAgent } from "../lab.ts";
import type { Stop } from "./scenarios.ts";

/** A figure that the agent passes on, always calls zero, or does not mention. */
type Figure = "told" | "zero" | null;

/** What one run must come to. */
export type Row = readonly [
  scenario: string,
  status: Execution["status"],
  /** The exit code, or the signal it died of. */
  ended: number | string,
  /** Error codes without the agent's prefix. */
  reasons: readonly string[],
  /** What was scripted; nothing but zeros; nothing at all; what a cut stream had begun with. */
  usage: "scripted" | "zero" | "unknown" | "begun",
  /** In dollars. */
  cost: number | "begun" | null,
  turns: number | null,
  /** One of several where it is a matter of milliseconds. */
  stopReason: string | readonly string[] | null,
  /** `maybe` where the agent prints it only if it gets to it. */
  session: "told" | "untold" | "maybe",
  /** How it is brought to its end, where the scenario alone would take minutes. */
  stop?: Stop,
];

/** A tool as the log shows it; `{command}`, `{path}`, `{prints}` and `{code}` are filled in. */
interface ExpectedTool {
  readonly name: string;
  readonly kind: ToolKind;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: string | null;
  /** Of a call that fails, where it is not the same. */
  readonly failedResult?: string;
}

export interface AgentExpectation {
  readonly agent: LabAgent;
  /** What lets it use its tools unasked. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly model: Omit<RunLog["model_info"], "parameters">;
  readonly figures: readonly [
    input: Figure,
    output: Figure,
    cacheRead: Figure,
    cacheWrite: Figure,
    reasoning: Figure,
  ];
  readonly sessionId: RegExp;
  readonly shell: ExpectedTool;
  readonly write: ExpectedTool;
  /** Whether the log says of a shell command that it failed. */
  readonly tellsFailedCommand: boolean;
  readonly tellsToolTimes: boolean;
  readonly tellsPermission: boolean;
  /** Of two calls the quick one comes first: in the list of calls, in the answers, or in neither. */
  readonly quickFirst: "calls" | "answers" | null;
  /** What is left of an answer whose stream is cut, again and again. */
  readonly cut: string | null;
  readonly rows: readonly Row[];
}
