// A step as the matchers see it: the envelope with what its agent's codec found in it.
import type { Envelope } from "./envelope.ts";

export interface StepSubject {
  readonly envelope: Envelope;
  /** The shell line, null where the tool is no shell. */
  readonly line: string | null;
  /** The files the tool call names, as written; relative ones are below the step's cwd. */
  readonly paths: readonly string[];
  /** The project the session was started in. */
  readonly root: string;
  readonly home: string;
}
