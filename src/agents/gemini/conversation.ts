// A conversation with Gemini CLI 0.61, which speaks the Agent Client Protocol. It tells neither names nor arguments of
// its tools there; what it does tell is brought back into the form that its hooks have.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { listReadable } from "../../core/project/files.ts";
import { asRecord, parseJsonObject } from "../../core/project/json-value.ts";
import type { ToolArguments, ToolKind } from "../../core/step/envelope.ts";
import { asName, asText } from "../log/json-fields.ts";
import { type AcpSpeaker, acpProtocol } from "../protocol/acp/conversation.ts";
import {
  type AcpTraits,
  type OwnCall,
  readPlainCall,
  type SeenCall,
} from "../protocol/acp/traits.ts";
import { findTool } from "../steps/tool-table.ts";
import { geminiAcp } from "./run.ts";
import { GEMINI_TOOLS } from "./tools.ts";

const TRAITS: AcpTraits = {
  usage: "prompt",
  saysErrors: false,
  toolName: () => null,
  readCall: readGeminiCall,
};

const SPEAKER: AcpSpeaker = {
  adapter: geminiAcp,
  traitsOf: () => TRAITS,
  askingModes: ["default"],
  askingOptions: {},
  takesAnyModel: true,
  beforeResume: waitForNextMinute,
};

export const geminiConversation = acpProtocol(() => SPEAKER);

/**
 * 0.61.0 writes into a file named by the minute and the id before it reads the session: in the minute in which a session
 * began that is the session's own file, and what was said is lost. So that minute is let pass.
 */
async function waitForNextMinute(id: string, env: Readonly<Record<string, string>>): Promise<void> {
  const folder = join(env.GEMINI_CLI_HOME || env.HOME || homedir(), ".gemini", "tmp");
  const minute = new Date().toISOString().slice(0, 16).replace(":", "-");
  const name = `session-${minute}-${id.slice(0, 8)}.jsonl`;
  const projects = listReadable(folder);
  const isOwn = projects.some((project) => existsSync(join(folder, project, "chats", name)));
  if (isOwn) await wait(60_000 - (Date.now() % 60_000), undefined, { ref: false });
}

/** The tool's name stands before the id of its call. */
export function readGeminiCall(call: SeenCall): OwnCall {
  const tool = findName(call);
  return { tool, args: readArguments(tool, call) };
}

/** Which kinds of ours the protocol's words stand for. */
const KINDS: Readonly<Record<string, readonly ToolKind[]>> = {
  execute: ["shell"],
  edit: ["write", "edit"],
  read: ["read"],
  search: ["search", "read"],
  fetch: ["fetch"],
  think: ["agent"],
};

const USUAL_TOOLS: Readonly<Record<string, string>> = {
  execute: "run_shell_command",
  edit: "write_file",
  read: "read_file",
  search: "grep_search",
  fetch: "web_fetch",
  think: "invoke_agent",
};

/** `run_shell_command__ID`, or `run_shell_command-TIME-NUMBER`. A server's tool may be called like one of Gemini's own. */
function findName({ id, kind }: SeenCall): string {
  const own = Object.keys(GEMINI_TOOLS.tools).find(
    (name) => id.startsWith(`${name}__`) || id.startsWith(`${name}-`),
  );
  const fits = own !== undefined && KINDS[kind]?.includes(findTool(GEMINI_TOOLS, own).kind);
  if (fits === true) return own;
  const end = id.lastIndexOf("__");
  return end > 0 ? id.slice(0, end) : (USUAL_TOOLS[kind] ?? kind);
}

/** How it asks for a file that a prompt names and that lies outside of the workspace. */
const ATTACHED = /^Allow access to absolute path: (.+)$/;

function readArguments(tool: string, call: SeenCall): ToolArguments {
  const { oldText, newText, path: changed } = findDifference(call);
  const file_path = asName(changed) ?? call.path ?? ATTACHED.exec(call.title)?.[1];
  switch (tool) {
    case "run_shell_command":
      return { command: call.title, ...readDetails(findText(call)) };
    case "write_file":
      return { file_path, content: asText(newText) ?? "" };
    case "replace":
      // The whole file before and after: the same change in other words.
      return { file_path, old_string: asText(oldText) ?? "", new_string: asText(newText) ?? "" };
    case "read_file":
      return file_path === undefined ? readPlainCall(call).args : { file_path };
    default:
      return readServerArguments(call) ?? readPlainCall(call).args;
  }
}

const findDifference = ({ content }: SeenCall) =>
  content.map(asRecord).find(({ type }) => type === "diff") ?? {};

const findText = ({ content }: SeenCall): string =>
  content.map((part) => asText(asRecord(asRecord(part).content).text) ?? "").join("");

const DETAILS =
  /^\[(?:in ([^\]]*)|current working directory [^\]]*)\](?: \(([\s\S]*?)\))?( \[background\])?$/;

function readDetails(text: string): ToolArguments {
  const [, dir_path, description, background] = DETAILS.exec(text) ?? [];
  return {
    ...(dir_path === undefined ? {} : { dir_path }),
    ...(description === undefined ? {} : { description }),
    ...(background === undefined ? {} : { is_background: true }),
  };
}

/** Of a server's tool the arguments are shown as JSON, if they are not too long. */
const readServerArguments = (call: SeenCall): ToolArguments | null =>
  parseJsonObject(findText(call));
