import type { Ask, Surface } from "./context.ts";
import type { FaultReport } from "./fault.ts";
import type { CommandResult } from "./result.ts";

export interface Origin {
  readonly surface: Surface;
  readonly agent?: string;
  /** The correlation id of the dispatch this one was made by. */
  readonly parent?: string;
}

/** What a surface hands to the dispatcher. */
export interface Request {
  /** A name with words or a ready object, or a whole line to be split as a shell would. */
  readonly command:
    | {
        readonly name: string;
        readonly args: readonly string[] | Readonly<Record<string, unknown>>;
      }
    | { readonly line: string };
  readonly origin: Origin;
  readonly cwd: string;
  /** The environment of the person or agent that asks, not necessarily this process's. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
  readonly correlationId?: string;
}

/** Whoever answers questions. Several may be attached; the first answer wins. */
export interface Interactor extends Omit<Ask, "choose">, Partial<Pick<Ask, "choose">> {
  /** Shown in `adj sessions` and the audit: `terminal`, `web`. */
  readonly name: string;
  /**
   * Only a person can answer here, whoever asks: the questions are rows, which are answered in windows that no agent may
   * open. Below an agent no other interactor is heard.
   */
  readonly isInbox?: boolean;
}

/** What the surface lends to one dispatch: the person, the screen, the word given in advance. */
export interface Attachment {
  readonly interactors?: readonly Interactor[];
  /** `--yes`; ignored below an agent. */
  readonly yes?: boolean;
  readonly isInteractive?: boolean;
  /** What is piped in, for a program to inherit or for a command to read. */
  readonly pipedInput?: () => Promise<Uint8Array>;
  readonly onOutput?: (chunk: Uint8Array, channel: "stdout" | "stderr") => void | Promise<void>;
  readonly onProgress?: (step: number | string) => void;
}

export type OutcomeKind = "ok" | "failed" | "rejected" | "cancelled";

/** How a dispatch ended. Every ending is a value; only a bug throws. */
export interface Outcome {
  readonly kind: OutcomeKind;
  readonly result: CommandResult;
  readonly error?: FaultReport;
  readonly correlationId: string;
  readonly durationMs: number;
}
