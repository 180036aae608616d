// One Adjutant as every surface sees it; the composition makes it.
import type { Surface } from "../command/context.ts";
import type { CommandSummary } from "../command/definition.ts";
import type { Resolution } from "../command/registry.ts";
import type { Attachment, Outcome } from "../command/request.ts";
import type { Subscriber } from "./events.ts";

export interface AdjutantOptions {
  /** Absolute, and it must exist. */
  readonly cwd: string;
  /** The environment to work with; this process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly surface?: Surface;
  /** The agent on whose behalf commands run; nobody's by default. */
  readonly agent?: string;
  /** Where the project is not the one around `cwd`: inside an agent it is the one it was started in. */
  readonly root?: string;
}

/** A name with words or an object, or a line as it would be typed. */
export type DispatchRequest = (
  | { readonly name: string; readonly args?: readonly string[] | Readonly<Record<string, unknown>> }
  | { readonly line: string }
) & {
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
  readonly correlationId?: string;
};

export interface Adjutant {
  /**
   * Runs a command; every ending is an Outcome.
   *
   * @example
   * const { kind, result } = await adjutant.dispatch({ name: "greet", args: ["Ada"] });
   */
  dispatch(request: DispatchRequest, attachment?: Attachment): Promise<Outcome>;
  readonly registry: {
    list(): Promise<readonly Exclude<Resolution, { kind: "unknown" }>[]>;
    /** What is known of a command, null where none answers to the name. */
    find(name: string): Promise<CommandSummary | null>;
  };
  readonly events: { subscribe(subscriber: Subscriber): () => void };
  /** Lines a person should read before a command runs: trust, files that could not be loaded. */
  notices(name: string): Promise<readonly string[]>;
  /** Waits for what is still running, then closes the stores; to dispatch after it is a mistake that throws. */
  close(): Promise<void>;
}

/** Opens one; what lies below the composition gets this passed in. */
export type CreateAdjutant = (options: AdjutantOptions) => Promise<Adjutant>;
