// Saved sessions: one file each in the state folder, with everything but the params, and no secret.

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { APPROVAL_MODES, type SessionState } from "../core/command/context.ts";
import { fault } from "../core/command/fault.ts";
import { listFolder, storeFile } from "../core/project/files.ts";
import { parseJson } from "../core/project/json-value.ts";
import { maskSecrets } from "../core/secrets/mask.ts";
import type { StageRow } from "../core/store/stages.ts";
import type { SavedTurn, SavedTurns } from "../core/store/turns.ts";

const HEAD = {
  name: z.string(),
  saved_at: z.string(),
  session_id: z.string(),
  root: z.string(),
  agent: z.nullable(z.string()),
  model: z.nullable(z.string()),
  workflow: z.nullable(z.string()),
  /** Names alone; values are never written. */
  param_paths: z.array(z.string()),
  /** A digest of each command that is not bundled, by name. */
  commands: z.record(z.string(), z.string()),
};

const nullableText = z.nullable(z.string());

const TURN = z.object({
  number: z.int(),
  status: z.enum(["done", "failed", "cancelled"]),
  prompt: z.string(),
  answer: nullableText,
  agent: nullableText,
  model: nullableText,
  run_id: nullableText,
  conversation: nullableText,
  queued_at: z.string(),
  started_at: nullableText,
  ended_at: nullableText,
});

const CONVERSATION = z.object({
  agent: z.string(),
  conversation: z.string(),
  cwd: z.string(),
  number: z.int(),
});

const MANIFEST = z.object({
  adjutant: z.literal(2),
  ...HEAD,
  mode: z.nullable(z.enum(APPROVAL_MODES)),
  turns: z.array(TURN),
  conversations: z.array(CONVERSATION),
  /** The run of `workflow`, and where it was. Version 0.5.0 and before did not write it. */
  attached: z.optional(z.nullable(z.object({ run_id: z.string(), stage: z.string() }))),
});

/** Version 0.3.0 and before knew what was said, and no conversations. */
const OLD_MANIFEST = z.object({
  adjutant: z.literal(1),
  ...HEAD,
  turns: z.array(
    z.object({ role: z.enum(["user", "assistant"]), text: z.string(), at: z.string() }),
  ),
});

export type SessionManifest = z.infer<typeof MANIFEST>;
type ManifestTurn = z.infer<typeof TURN>;

/** Names of sessions are also names of files. */
export const isSessionName = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);

interface ManifestFacts {
  readonly name: string;
  readonly savedAt: Date;
  readonly sessionId: string;
  readonly root: string;
  readonly commands: Readonly<Record<string, string>>;
  readonly stage: Pick<StageRow, "runId" | "stage" | "workflow"> | null;
}

const mask = (text: string | null): string | null => (text === null ? null : maskSecrets(text));

export function makeSessionManifest(
  state: SessionState,
  { turns, conversations }: SavedTurns,
  facts: ManifestFacts,
): SessionManifest {
  return {
    adjutant: 2,
    name: facts.name,
    saved_at: facts.savedAt.toISOString(),
    session_id: facts.sessionId,
    root: facts.root,
    agent: mask(state.agent),
    model: mask(state.model),
    mode: state.mode,
    workflow: facts.stage?.workflow ?? null,
    attached: facts.stage === null ? null : { run_id: facts.stage.runId, stage: facts.stage.stage },
    param_paths: Object.keys(state.params).sort(),
    turns: turns.flatMap(describeTurn),
    conversations: conversations.map((row) => ({ ...row })),
    commands: { ...facts.commands },
  };
}

/** A turn that has not ended is no part of what is saved. */
function describeTurn(turn: SavedTurn): ManifestTurn[] {
  const { status } = turn;
  if (status !== "done" && status !== "failed" && status !== "cancelled") return [];
  return [
    {
      number: turn.number,
      status,
      prompt: maskSecrets(turn.prompt),
      answer: mask(turn.answer),
      agent: turn.agent,
      model: mask(turn.model),
      run_id: turn.runId,
      conversation: turn.conversation,
      queued_at: turn.queuedAt,
      started_at: turn.startedAt,
      ended_at: turn.endedAt,
    },
  ];
}

export const formatSessionManifest = (manifest: SessionManifest): string =>
  `${JSON.stringify(manifest, null, 2)}\n`;

type ManifestReading =
  | { readonly kind: "read"; readonly manifest: SessionManifest }
  | { readonly kind: "unreadable"; readonly problem: string };

export function readSessionManifest(text: string): ManifestReading {
  const value = parseJson(text);
  if (value === undefined) return { kind: "unreadable", problem: "it is not JSON" };
  const version = typeof value === "object" && value !== null && "adjutant" in value;
  if (version && typeof value.adjutant === "number" && value.adjutant > 2)
    return { kind: "unreadable", problem: "it was written by a newer Adjutant" };
  const isOld = version && value.adjutant === 1;
  const checked = isOld ? z.safeParse(OLD_MANIFEST, value) : z.safeParse(MANIFEST, value);
  if (!checked.success) {
    const at = checked.error.issues[0]?.path.join(".") ?? "";
    return { kind: "unreadable", problem: `it is not a session: \`${at}\` is missing or wrong` };
  }
  const { data } = checked;
  return { kind: "read", manifest: data.adjutant === 2 ? data : upgradeManifest(data) };
}

/** What a person said begins a turn, what the agent said then is its answer. */
function upgradeManifest(old: z.infer<typeof OLD_MANIFEST>): SessionManifest {
  const turns: ManifestTurn[] = [];
  for (const { role, text, at } of old.turns) {
    const open = turns.at(-1);
    if (role === "user" || open === undefined)
      turns.push({ ...NO_TURN, number: turns.length + 1, prompt: text, queued_at: at });
    else open.answer = open.answer === null ? text : `${open.answer}\n${text}`;
  }
  return { ...old, adjutant: 2, mode: null, turns, conversations: [] };
}

const NO_TURN = {
  status: "done",
  answer: null,
  agent: null,
  model: null,
  run_id: null,
  conversation: null,
  started_at: null,
  ended_at: null,
} as const;

const folderOf = (stateDir: string): string => join(stateDir, "sessions");

export function sessionFile(stateDir: string, name: string): string {
  if (isSessionName(name)) return join(folderOf(stateDir), `${name}.json`);
  throw fault(
    "InputInvalid",
    { what: "a session's name", problem: "it is letters, digits, dots and dashes, at most 64" },
    { hint: "begin with a letter or a digit" },
  );
}

export function writeSession(file: string, manifest: SessionManifest): void {
  storeFile(file, formatSessionManifest(manifest), 0o600);
}

/** Null where there is none of that name. */
export function readSession(file: string): SessionManifest | null {
  if (!existsSync(file)) return null;
  const reading = readSessionManifest(readFileSync(file, "utf8"));
  if (reading.kind === "read") return reading.manifest;
  throw fault("FileInvalid", { problem: reading.problem }, { where: { file } });
}

interface SavedSession {
  readonly name: string;
  readonly savedAt: string;
}

/** By name and time alone, the last saved first; nothing is opened. */
export function listSaved(stateDir: string): SavedSession[] {
  return listFolder(folderOf(stateDir))
    .filter((file) => file.endsWith(".json") && isSessionName(file.slice(0, -".json".length)))
    .map((file) => ({
      name: file.slice(0, -".json".length),
      savedAt: statSync(join(folderOf(stateDir), file)).mtime.toISOString(),
    }))
    .sort((a, b) => (a.savedAt > b.savedAt ? -1 : 1));
}
