import type { JsonRecord } from "./json-fields.ts";
import type { LogEvent } from "./log-event.ts";

/** Reads one agent's output in its own words; a state machine without effects, one per run. */
export interface OutputDialect {
  /** Whether this is one of the agent's own events, and not an answer that happens to be JSON. */
  readonly recognizes: (record: JsonRecord) => boolean;
  /** One JSON object of stdout. */
  readRecord(record: JsonRecord): readonly LogEvent[];
  /** What only the end of the output makes known. */
  finish(): readonly LogEvent[];
  /** The clean tail of stderr, once the run is over. */
  readStderr?(text: string, format: "structured" | "text"): readonly LogEvent[];
  /** The agent's report file, as text. */
  readReport?(text: string): readonly LogEvent[];
}
