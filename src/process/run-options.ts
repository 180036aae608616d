export type Channel = "stdout" | "stderr";

export interface OutputLimit {
  readonly bytes: number;
  /** `kill` ends the run; `discard` reads the rest and throws it away. Nothing past the limit is handed on. */
  readonly action: "kill" | "discard";
}

export interface RawFiles {
  readonly stdout: string;
  readonly stderr: string;
  /** Each file is whole up to here, then ends with a marker line; 1 GiB by default. */
  readonly limitBytes?: number;
}

export interface RunOptions {
  /** Written while output is read, then closed; without it the child reads an end of file at once. */
  readonly stdin?: string | Uint8Array | AsyncIterable<string>;
  /** The child reads this process's own stdin, for what a person piped in; `stdin` is then left out. */
  readonly inheritsStdin?: boolean;
  /** Cancels: SIGTERM to the tree, the grace period, SIGKILL. */
  readonly signal?: AbortSignal;
  /** 0 is none. */
  readonly timeoutMs?: number;
  /** Between SIGTERM and SIGKILL; 5 s by default. */
  readonly graceMs?: number;
  /** Whether what a child leaves behind is ended after a normal exit too, which is the default. */
  readonly reap?: "always" | "on-kill";
  /** Unique; a random one by default. The child sees it as `ADJ_RUN_ID`, below an outer run as `outer/own`. */
  readonly runId?: string;
  /** Gets all output as it comes. A promise holds that channel back; a failure ends the run and rejects it. */
  readonly onChunk?: (channel: Channel, bytes: Uint8Array) => void | Promise<void>;
  /** Output held in memory, 10 MiB by default, counted over both channels or over each. */
  readonly keepBytes?: number;
  readonly keepOver?: "both" | "each";
  readonly outputLimit?: { readonly [channel in Channel]?: OutputLimit };
  readonly rawFiles?: RawFiles;
}
