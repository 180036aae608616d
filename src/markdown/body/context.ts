// What a body is assembled in. Everything with an effect is a port, so that the caller decides.
import type { Where } from "../../core/command/fault.ts";

export type VariableValue = string | number | boolean | null | readonly string[];

export interface BodyContext {
  /** By name: inputs, `args`, `arg1` …, `stdin`, `cwd`, `pre`. Null is defined and prints as nothing. */
  readonly variables: Readonly<Record<string, VariableValue>>;
  /** For `{{ git.branch }}`; asked only if the body mentions it. Null outside a branch. */
  readonly readBranch: () => Promise<string | null>;
  /** Piped in and not mentioned: appended under a heading. */
  readonly appendedStdin: string | null;
  /** The command's own file, which it cannot import. */
  readonly file: string;
  /** What `./` and `../` are relative to. */
  readonly folder: string;
  /** Where the agent works: files are named to it from there. */
  readonly agentFolder: string;
  /** A layer's folder as its owner knows it, and where it is read: of a project in the trusted copy. */
  readonly layerFolder?: { readonly shown: string; readonly real: string };
  /** What `~/` is relative to. */
  readonly home: string;
  /** Imports from these folders need no permission: the file's project and the user's config folder. */
  readonly ownFolders: readonly string[];
  readonly importPermission: (request: PermissionRequest) => boolean | Promise<boolean>;
  readonly urls: UrlPolicy;
  /** Null in a dry run: commands and addresses stand in the prompt as they were written. */
  readonly runInline: RunInline | null;
  /** Environment of the `git` that is asked what is ignored. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

interface PermissionRequest {
  /** Real, with links resolved. */
  readonly path: string;
  readonly written: string;
  readonly where: Where;
}

interface UrlPolicy {
  /** `docs.example.com`, or `host:port`; only a loopback host may be spoken to without TLS. */
  readonly hosts: readonly string[];
  /** Where content hashes are pinned. */
  readonly lockFile: string;
  /** The root of the project whose prompt it is; absent for a person's own. */
  readonly root?: string;
  /** Whether content that changed since it was pinned is taken. */
  readonly acceptChange: (change: UrlChange) => boolean | Promise<boolean>;
}

export interface UrlChange {
  readonly url: string;
  readonly pinned: string;
  readonly found: string;
  readonly where: Where;
}

export type RunInline = (
  command: string,
  options: { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) => Promise<InlineOutput>;

export type InlineOutput =
  | { readonly kind: "ok"; readonly stdout: Uint8Array; readonly totalBytes: number }
  /** `problem` continues "`command` …"; the end of its stderr with it. */
  | { readonly kind: "failed"; readonly problem: string; readonly stderr: string }
  | { readonly kind: "timed_out"; readonly limitMs: number }
  | { readonly kind: "cancelled" };

/** An import that was inserted. */
export interface ImportedFile {
  readonly written: string;
  /** Real path or address. */
  readonly source: string;
  readonly bytes: number;
  readonly where: Where;
}
