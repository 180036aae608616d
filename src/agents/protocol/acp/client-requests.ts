// What the agent asks of its client: permissions, and files of the workspace and no others.

import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../../../core/command/fault.ts";
import { asRecord, type JsonRecord } from "../../../core/project/json-value.ts";
import { asCount, asList, asName, asText } from "../../log/json-fields.ts";
import { resolveInWorkspace } from "../../run/workspace.ts";
import type { MessageQueue } from "../message-queue.ts";
import {
  ERROR_CODE,
  type MessageId,
  type OfferedFiles,
  type RpcError,
  type RpcMessage,
} from "./messages.ts";

export interface PermissionPolicy {
  /** Adjutant's own words. */
  readonly mode: string;
  /** Tool names or kinds, for `allowlist`. */
  readonly allowed: readonly string[];
}

interface PermissionDecision {
  readonly isAllowed: boolean;
  /** The option to choose, or null where the agent offers none that fits. */
  readonly optionId: string | null;
}

/** Nobody is there to be asked: `auto` allows, `allowlist` what is listed, all else is refused. */
export function decidePermission(
  { mode, allowed }: PermissionPolicy,
  names: readonly string[],
  offered: unknown,
): PermissionDecision {
  const isListed = names.some((name) => allowed.includes(name));
  const isAllowed = mode === "auto" || (mode === "allowlist" && isListed);
  const kinds = isAllowed ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const options = asList(offered).map(asRecord);
  const chosen = kinds
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined);
  const optionId = asName(chosen?.optionId);
  return { isAllowed: isAllowed && optionId !== null, optionId };
}

export interface FileRequest {
  readonly id: MessageId;
  readonly method: FileMethod;
  readonly params: JsonRecord;
}

type FileMethod = "fs/read_text_file" | "fs/write_text_file";

export const isFileMethod = (method: string): method is FileMethod =>
  method === "fs/read_text_file" || method === "fs/write_text_file";

/** The whole file goes into one message. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

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

interface FileRequestContext {
  readonly cwd: string;
  readonly policy: PermissionPolicy;
}

/** Answers the requests for files one after the other, each when the last answers are read. */
export class FileService {
  readonly #context: FileRequestContext;
  readonly #outbox: MessageQueue;
  #served = Promise.resolve();

  constructor(context: FileRequestContext, outbox: MessageQueue) {
    this.#context = context;
    this.#outbox = outbox;
  }

  serve(asked: FileRequest): void {
    this.#served = this.#served.then(async () => {
      await this.#outbox.whenRoomy();
      if (!this.#outbox.isClosed) this.#outbox.push(await answerFileRequest(this.#context, asked));
    });
  }

  /** Settles when all was answered and there is room for more: an agent may ask for more than can be held. */
  async whenServed(): Promise<void> {
    await this.#served;
    await this.#outbox.whenRoomy();
  }
}

/** Answers a request for a file. Never rejects: what the system has against it is the answer. */
async function answerFileRequest(
  context: FileRequestContext,
  asked: FileRequest,
): Promise<RpcMessage> {
  const { id } = asked;
  try {
    const done = await serveFile(context, asked);
    return "error" in done
      ? { jsonrpc: "2.0", id, error: done.error }
      : { jsonrpc: "2.0", id, result: done.result };
  } catch (error) {
    const message = messageOf(error);
    return { jsonrpc: "2.0", id, error: { code: ERROR_CODE.internal, message } };
  }
}

type Served = { readonly result: object } | { readonly error: RpcError };

const refuse = (code: number, message: string): Served => ({ error: { code, message } });

async function serveFile({ cwd, policy }: FileRequestContext, asked: FileRequest): Promise<Served> {
  const { method, params } = asked;
  const path = asName(params.path);
  if (path === null) return refuse(ERROR_CODE.invalidParams, "`path` is missing");
  if (method === "fs/write_text_file" && !allowsWriting(policy))
    return refuse(ERROR_CODE.invalidParams, `writing is not allowed under \`${policy.mode}\``);
  const file = await resolveInWorkspace(cwd, path);
  if (file === null)
    return refuse(ERROR_CODE.invalidParams, `\`${path}\` is outside of the workspace`);
  return method === "fs/read_text_file" ? readText(file, params) : writeText(file, params);
}

async function readText(file: string, params: JsonRecord): Promise<Served> {
  const found = await stat(file).catch(() => null);
  // Agents know a missing file by these words.
  if (found === null)
    return refuse(ERROR_CODE.notFound, `Resource not found: ${file} does not exist`);
  // A pipe or a device could be read for ever.
  if (!found.isFile()) return refuse(ERROR_CODE.invalidParams, `\`${file}\` is not a file`);
  if (found.size > MAX_FILE_BYTES)
    return refuse(ERROR_CODE.invalidParams, `\`${file}\` is larger than ${MAX_FILE_BYTES} bytes`);
  const text = await readFile(file, "utf8");
  return { result: { content: pickLines(text, asCount(params.line), asCount(params.limit)) } };
}

/** Lines are counted from one and keep their ends. */
function pickLines(text: string, line: number | null, limit: number | null): string {
  if (line === null && limit === null) return text;
  const from = Math.max(0, (line ?? 1) - 1);
  const to = limit === null ? undefined : from + limit;
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).slice(from, to).join("");
}

async function writeText(file: string, params: JsonRecord): Promise<Served> {
  const content = asText(params.content);
  if (content === null) return refuse(ERROR_CODE.invalidParams, "`content` is missing");
  const found = await stat(file).catch(() => null);
  if (found !== null && !found.isFile())
    return refuse(ERROR_CODE.invalidParams, `\`${file}\` is not a file`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return { result: {} };
}
