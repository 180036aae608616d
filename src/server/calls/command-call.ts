// A command that a client of the host called: as it is ordered, as it is looked at, and as it is kept. The host runs it, so
// neither a client's patience nor its death ends it.
import { join } from "node:path";
import * as z from "zod/mini";
import type { JsonValue } from "../../core/command/context.ts";
import type { Outcome } from "../../core/command/request.ts";
import { type Output, textOfOutput } from "../../core/command/result.ts";
import { readText, replaceFile } from "../../core/project/files.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";

const JSON_RECORD = z.record(z.string(), z.unknown());

export const CALL_ORDER = z.strictObject({
  name: z.string(),
  args: z.union([z.array(z.string()), JSON_RECORD]),
  cwd: z.string(),
  root: z.string(),
  sessionId: z.string(),
  /** Who is on record as the caller: the client's own name. */
  client: z.string(),
});
export type CallOrder = z.infer<typeof CALL_ORDER>;

/** How a call stands. Texts are as the caller may see them. */
export interface CallView {
  readonly id: string;
  readonly name: string;
  /** The project that it was ordered in; none in files of before 0.7. */
  readonly root?: string;
  readonly status: "running" | "waiting" | "done" | "lost";
  /** What a person has to answer before it goes on. */
  readonly question: { readonly id: string; readonly text: string } | null;
  readonly progress: string | null;
  /** How often it told of its progress. */
  readonly steps: number;
  readonly outcome: CallOutcome | null;
}

export interface CallOutcome {
  readonly kind: Outcome["kind"];
  readonly exitCode: number;
  readonly output: string;
  /** What it printed, where that is no text; `output` then says what it is. */
  readonly media?: CallMedia;
  readonly errorOutput: string;
  readonly metadata: JsonValue;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
  } | null;
}

export function describeCallOutcome({ kind, result, error }: Outcome): CallOutcome {
  const media = readMedia(result.output);
  return {
    kind,
    exitCode: result.exitCode,
    ...(media === null || typeof result.output === "string"
      ? { output: textOfOutput(result.output) }
      : { output: describeMedia(media, result.output), media }),
    errorOutput: result.errorOutput === null ? "" : textOfOutput(result.errorOutput),
    metadata: toJson(result.metadata),
    error:
      error === undefined
        ? null
        : { code: error.code, message: error.message, hint: error.hint ?? null },
  };
}

/** What JSON cannot hold is left out of it. */
const toJson = (value: unknown): JsonValue => {
  const text = JSON.stringify(value ?? null);
  return text === undefined ? null : JSON.parse(text);
};

// What is kept of a call, from its beginning, for whoever asks later.

const callFile = (stateDir: string, id: string): string => join(stateDir, "calls", `${id}.json`);

const CALL_ID = /^c[0-9a-f]{12}$/;

const isCallId = (id: string): boolean => CALL_ID.test(id);

export function keepCall(stateDir: string, view: CallView): void {
  const { media, ...outcome } = view.outcome ?? {};
  // In base64 a chance likeness would be masked, and what it stands for be broken.
  const masked = maskSecrets(JSON.stringify(media === undefined ? view : { ...view, outcome }));
  const kept =
    media === undefined
      ? masked
      : JSON.stringify(putMedia(JSON.parse(masked), withoutSecrets(media)));
  replaceFile(callFile(stateDir, view.id), `${kept}\n`);
}

/** What holds a secret by its form, an archive of settings say, is handed on but not kept. */
function withoutSecrets({ mimeType, data }: CallMedia): CallMedia {
  const text = Buffer.from(data ?? "", "base64").toString("latin1");
  return data !== undefined && maskSecrets(text) === text ? { mimeType, data } : { mimeType };
}

const putMedia = (view: CallView, media: CallMedia): CallView =>
  view.outcome === null ? view : { ...view, outcome: { ...view.outcome, media } };

export function readKeptCall(stateDir: string, id: string): CallView | null {
  if (!isCallId(id)) return null;
  const text = readText(callFile(stateDir, id));
  if (text === null) return null;
  const kept: CallView = JSON.parse(text);
  return kept;
}

/** One that is kept as running by nobody who runs it: its host was killed, or the machine went down. */
export function markCallLost(view: CallView): CallView {
  const { name, status } = view;
  const error = {
    code: "HostUnreachable",
    message: `the host ended while \`${name}\` ${status === "waiting" ? "waited for a person" : "ran, and it may have run in part"}`,
    hint: `look at what \`${name}\` did before you call it again`,
  };
  const facts = { output: "", errorOutput: "", metadata: null, error };
  return {
    ...view,
    status: "lost",
    question: null,
    outcome: { kind: "failed", exitCode: 1, ...facts },
  };
}

// What a command printed that is no text: a screenshot, a recording, an archive. Pure.

export interface CallMedia {
  readonly mimeType: string;
  /** In base64; absent where it is too much to be kept. */
  readonly data?: string;
}

/** What is kept of a call, as a file, and handed on as a resource. */
const MAX_KEPT_BYTES = 4 << 20;
/** So far from the beginning a program's bytes are looked at for a zero, which no text holds. */
const LOOKED_AT_BYTES = 8_192;

const at = (bytes: Buffer, offset: number, text: string): boolean =>
  bytes.toString("latin1", offset, offset + text.length) === text;

/** By how such files begin. */
const SIGNATURES: readonly (readonly [mimeType: string, is: (bytes: Buffer) => boolean])[] = [
  ["image/png", (bytes) => at(bytes, 0, "\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (bytes) => at(bytes, 0, "\xff\xd8\xff")],
  ["image/gif", (bytes) => at(bytes, 0, "GIF87a") || at(bytes, 0, "GIF89a")],
  ["image/webp", (bytes) => at(bytes, 0, "RIFF") && at(bytes, 8, "WEBP")],
  ["audio/wav", (bytes) => at(bytes, 0, "RIFF") && at(bytes, 8, "WAVE")],
  ["audio/mpeg", (bytes) => at(bytes, 0, "ID3")],
  ["audio/ogg", (bytes) => at(bytes, 0, "OggS")],
  ["application/pdf", (bytes) => at(bytes, 0, "%PDF-")],
];

/** Null for text, in whatever encoding. */
export function readMedia(output: Output): CallMedia | null {
  if (typeof output === "string") return null;
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.byteLength);
  const [known] = SIGNATURES.find(([, is]) => is(bytes)) ?? [];
  const isBinary = known !== undefined || bytes.subarray(0, LOOKED_AT_BYTES).includes(0);
  if (!isBinary) return null;
  const mimeType = known ?? "application/octet-stream";
  return bytes.length > MAX_KEPT_BYTES
    ? { mimeType }
    : { mimeType, data: bytes.toString("base64") };
}

/** What stands for it wherever only text is shown. */
export const describeMedia = ({ mimeType }: CallMedia, { byteLength }: Uint8Array): string =>
  `${mimeType}, ${byteLength} bytes`;
