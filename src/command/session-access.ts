export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly at: string;
}

/** What the person is in now. */
export interface SessionState {
  readonly agent: string | null;
  readonly model: string | null;
  /** Secret values stand here only as `env:NAME`. */
  readonly params: { readonly [path: string]: JsonValue };
  readonly workflow: string | null;
  readonly turns: readonly Turn[];
}

export const EMPTY_SESSION: SessionState = {
  agent: null,
  model: null,
  params: {},
  workflow: null,
  turns: [],
};

/** A command's own state in this session; no other command can reach it. */
export interface Slot {
  get(): Promise<JsonValue | undefined>;
  update(
    change: (value: JsonValue | undefined) => JsonValue,
    options?: UpdateOptions,
  ): Promise<JsonValue>;
}

export interface UpdateOptions {
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
  slot(name?: string): Slot;
}
