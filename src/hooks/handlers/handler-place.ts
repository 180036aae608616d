/** What a handler runs with, beside its rule and the step. */
export interface HandlerPlace {
  /** The caller's, which in the resident is not the process's. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateDir: string;
  /** The rule's own limit, or what is left until the step's deadline. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}
