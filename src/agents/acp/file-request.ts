// Files that the agent reads and writes through the client: those of the workspace and no others.
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { asCount, asName, asText, type JsonRecord } from "../json-fields.ts";
import { placeInWorkspace } from "../workspace-path.ts";
import type { PermissionPolicy } from "./decide-permission.ts";
import {
  ERROR_CODE,
  type MessageId,
  type OfferedFiles,
  type RpcError,
  type RpcMessage,
} from "./messages.ts";

export interface FileRequest {
  readonly id: MessageId;
  readonly method: FileMethod;
  readonly params: JsonRecord;
}

export type FileMethod = "fs/read_text_file" | "fs/write_text_file";

export const isFileMethod = (method: string): method is FileMethod =>
  method === "fs/read_text_file" || method === "fs/write_text_file";

/** The whole file goes into one message. */
const LARGEST_FILE = 10 * 1024 * 1024;

/** Nobody else asks before such a write, so it needs a mode that allows edits at all. */
const allowsWriting = ({ mode, allowed }: PermissionPolicy): boolean =>
  mode === "auto" || (mode === "allowlist" && allowed.includes("edit"));

/**
 * The agent is on the same machine and needs no help with files. It may break by being helped: Gemini
 * CLI 0.61.0 takes the client's word on a missing file for a failure and then makes no new files.
 */
export const offerFiles = (isAsked: boolean, policy: PermissionPolicy): OfferedFiles => ({
  readTextFile: isAsked,
  writeTextFile: isAsked && allowsWriting(policy),
});

export interface FileDesk {
  readonly cwd: string;
  readonly policy: PermissionPolicy;
}

/** Never rejects: what the system has against it is the answer. */
export async function answerFileRequest(desk: FileDesk, asked: FileRequest): Promise<RpcMessage> {
  const { id } = asked;
  try {
    const done = await serve(desk, asked);
    return "error" in done
      ? { jsonrpc: "2.0", id, error: done.error }
      : { jsonrpc: "2.0", id, result: done.result };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { jsonrpc: "2.0", id, error: { code: ERROR_CODE.internal, message } };
  }
}

type Served = { readonly result: object } | { readonly error: RpcError };

const refuse = (code: number, message: string): Served => ({ error: { code, message } });

async function serve({ cwd, policy }: FileDesk, asked: FileRequest): Promise<Served> {
  const { method, params } = asked;
  const path = asName(params.path);
  if (path === null) return refuse(ERROR_CODE.invalidParams, "`path` is missing");
  if (method === "fs/write_text_file" && !allowsWriting(policy))
    return refuse(ERROR_CODE.invalidParams, `writing is not allowed under \`${policy.mode}\``);
  const place = await placeInWorkspace(cwd, path);
  if (place === null)
    return refuse(ERROR_CODE.invalidParams, `\`${path}\` is outside of the workspace`);
  return method === "fs/read_text_file" ? readText(place, params) : writeText(place, params);
}

async function readText(place: string, params: JsonRecord): Promise<Served> {
  const found = await stat(place).catch(() => null);
  // Agents know a missing file by these words.
  if (found === null)
    return refuse(ERROR_CODE.notFound, `Resource not found: ${place} does not exist`);
  // A pipe or a device could be read for ever.
  if (!found.isFile()) return refuse(ERROR_CODE.invalidParams, `\`${place}\` is not a file`);
  if (found.size > LARGEST_FILE)
    return refuse(ERROR_CODE.invalidParams, `\`${place}\` is larger than ${LARGEST_FILE} bytes`);
  const text = await readFile(place, "utf8");
  return { result: { content: cutLines(text, asCount(params.line), asCount(params.limit)) } };
}

/** Lines are counted from one and keep their ends. */
function cutLines(text: string, line: number | null, limit: number | null): string {
  if (line === null && limit === null) return text;
  const from = Math.max(0, (line ?? 1) - 1);
  const to = limit === null ? undefined : from + limit;
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).slice(from, to).join("");
}

async function writeText(place: string, params: JsonRecord): Promise<Served> {
  const content = asText(params.content);
  if (content === null) return refuse(ERROR_CODE.invalidParams, "`content` is missing");
  const found = await stat(place).catch(() => null);
  if (found !== null && !found.isFile())
    return refuse(ERROR_CODE.invalidParams, `\`${place}\` is not a file`);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, content);
  return { result: {} };
}
