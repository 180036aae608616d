// Any agent's step as Claude Code would have told it, so that hook scripts written for Claude Code run everywhere.
import { resolve } from "node:path";
import { asText } from "../../../agents/json-fields.ts";
import type { Envelope, ToolArguments } from "../../envelope.ts";
import { patchPaths } from "../patch-paths.ts";
import type { ToolEntry } from "../tool-table.ts";
import { findToolOf } from "../tool-tables.ts";
import { CLAUDE_ABILITIES } from "./abilities.ts";

type ClaudePayload = Record<string, unknown>;

/** Empty for steps Claude Code has not. */
export function claudeEventOf({ step, is_error }: Pick<Envelope, "step" | "is_error">): string {
  const event = CLAUDE_ABILITIES.steps[step]?.event ?? "";
  return event === "PostToolUse" && is_error === true ? "PostToolUseFailure" : event;
}

/** The arguments of a patch that Claude Code's Edit has not; they are taken out again on the way back. */
const PATCHED = ["file_path", "file_paths"];

export function toClaudePayload(envelope: Envelope): ClaudePayload {
  if (envelope.agent === "claude-code") return { ...envelope.native };
  const { session_id, cwd, native } = envelope;
  return {
    session_id,
    transcript_path: asText(native.transcript_path) ?? asText(native.transcriptPath) ?? "",
    cwd,
    permission_mode: asText(native.permission_mode) ?? "default",
    hook_event_name: claudeEventOf(envelope),
    ...fieldsOf(envelope),
  };
}

function fieldsOf(envelope: Envelope): ClaudePayload {
  const { step, native } = envelope;
  switch (step) {
    case "session_start":
      return { source: envelope.source === "new" ? "startup" : envelope.source };
    case "before_prompt":
      return { prompt: envelope.prompt ?? "" };
    case "before_tool":
    case "before_permission":
      return toolOf(envelope);
    case "after_tool":
      return { ...toolOf(envelope), ...resultOf(envelope) };
    case "before_turn_end":
    case "subagent_end":
      return stopOf(envelope);
    case "before_compact":
    case "after_compact":
      return { trigger: asText(native.trigger) ?? "auto", custom_instructions: "" };
    case "subagent_start":
      return { agent_id: asText(native.agent_id) ?? "", agent_type: envelope.agent_type ?? "" };
    case "notification":
      return { message: envelope.text ?? "", notification_type: "other" };
    default:
      return { reason: envelope.reason ?? "other" };
  }
}

function stopOf({ native, agent_type, continues_so_far }: Envelope): ClaudePayload {
  const message = asText(native.last_assistant_message) ?? asText(native.prompt_response);
  return {
    stop_hook_active: continues_so_far !== 0,
    ...(message === null ? {} : { last_assistant_message: message }),
    ...(agent_type === undefined ? {} : { agent_type }),
  };
}

function toolOf(envelope: Envelope): ClaudePayload {
  const { agent, tool = "", native } = envelope;
  const id = asText(native.tool_use_id) ?? asText(native.call_id);
  return {
    tool_name: findToolOf(agent, tool).claude ?? tool,
    tool_input: toClaudeArguments(envelope),
    ...(id === null ? {} : { tool_use_id: id }),
  };
}

function resultOf({ kind, is_error, output = "" }: Envelope): ClaudePayload {
  if (is_error === true) return { error: output };
  if (kind !== "shell") return { tool_response: output };
  const response = { stdout: output, stderr: "", interrupted: false, isImage: false };
  return { tool_response: response };
}

/** Every argument stays; known ones get Claude Code's names, and paths are absolute as they are there. */
function toClaudeArguments({ agent, tool = "", args = {}, cwd }: Envelope): ClaudePayload {
  const entry = findToolOf(agent, tool);
  const { claudeArgs = {}, paths = [] } = entry;
  const named = Object.entries(args).map(([key, value]) => {
    const name = Object.hasOwn(claudeArgs, key) ? claudeArgs[key] : undefined;
    const isPath = paths.includes(key) && typeof value === "string" && value !== "";
    return [name ?? key, isPath ? resolve(cwd, value) : value] as const;
  });
  return { ...Object.fromEntries(named), ...patchedOf(entry, args, cwd) };
}

function patchedOf({ patch }: ToolEntry, args: ToolArguments, cwd: string): ClaudePayload {
  if (patch === undefined) return {};
  const paths = patchPaths(asText(args[patch]) ?? "").map((path) => resolve(cwd, path));
  return paths.length === 0 ? {} : { file_path: paths[0], file_paths: paths };
}

/** What a Claude Code hook made of the arguments, by the agent's own names; paths it left alone are as written. */
export function fromClaudeArguments(envelope: Envelope, input: ToolArguments): ToolArguments {
  if (envelope.agent === "claude-code") return input;
  const { agent, tool = "", args = {}, cwd } = envelope;
  const { claudeArgs = {}, paths = [], patch } = findToolOf(agent, tool);
  // Of several names for one argument the one that was used comes back.
  const names = Object.keys(claudeArgs).toSorted((a, b) => Number(a in args) - Number(b in args));
  const back = new Map(names.map((name) => [claudeArgs[name], name]));
  const entries = Object.entries(input)
    .filter(([key]) => patch === undefined || !PATCHED.includes(key) || key in args)
    .map(([key, value]) => {
      const name = key in args ? key : (back.get(key) ?? key);
      const before = args[name];
      const isSame =
        paths.includes(name) && typeof before === "string" && resolve(cwd, before) === value;
      return [name, isSame ? before : value] as const;
    });
  return Object.fromEntries(entries);
}
