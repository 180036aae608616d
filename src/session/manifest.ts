// A session as a file that can be opened again: everything but its params, and no secret.
import * as z from "zod/mini";
import { maskSecrets } from "../command/secrets.ts";
import type { SessionState } from "../command/session-access.ts";

const MANIFEST = z.object({
  adjutant: z.literal(1),
  name: z.string(),
  saved_at: z.string(),
  session_id: z.string(),
  root: z.string(),
  agent: z.nullable(z.string()),
  model: z.nullable(z.string()),
  workflow: z.nullable(z.string()),
  /** Names alone; values are never written. */
  param_paths: z.array(z.string()),
  turns: z.array(
    z.object({ role: z.enum(["user", "assistant"]), text: z.string(), at: z.string() }),
  ),
  /** A digest of each command that is not bundled, by name. */
  commands: z.record(z.string(), z.string()),
});

export type Manifest = z.infer<typeof MANIFEST>;

/** Names of sessions are also names of files. */
export const isSessionName = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);

export interface ManifestFacts {
  readonly name: string;
  readonly savedAt: Date;
  readonly sessionId: string;
  readonly root: string;
  readonly commands: Readonly<Record<string, string>>;
}

const mask = (text: string | null): string | null => (text === null ? null : maskSecrets(text));

export function makeManifest(state: SessionState, facts: ManifestFacts): Manifest {
  return {
    adjutant: 1,
    name: facts.name,
    saved_at: facts.savedAt.toISOString(),
    session_id: facts.sessionId,
    root: facts.root,
    agent: mask(state.agent),
    model: mask(state.model),
    workflow: state.workflow,
    param_paths: Object.keys(state.params).sort(),
    turns: state.turns.map(({ role, text, at }) => ({ role, text: maskSecrets(text), at })),
    commands: { ...facts.commands },
  };
}

export const formatManifest = (manifest: Manifest): string =>
  `${JSON.stringify(manifest, null, 2)}\n`;

export type ManifestReading =
  | { readonly kind: "read"; readonly manifest: Manifest }
  | { readonly kind: "unreadable"; readonly problem: string };

export function readManifest(text: string): ManifestReading {
  const value = parseJson(text);
  if (value === undefined) return { kind: "unreadable", problem: "it is not JSON" };
  const version = typeof value === "object" && value !== null && "adjutant" in value;
  if (version && typeof value.adjutant === "number" && value.adjutant > 1)
    return { kind: "unreadable", problem: "it was written by a newer Adjutant" };
  const checked = z.safeParse(MANIFEST, value);
  if (checked.success) return { kind: "read", manifest: checked.data };
  const at = checked.error.issues[0]?.path.join(".") ?? "";
  return { kind: "unreadable", problem: `it is not a session: \`${at}\` is missing or wrong` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
