// A conversation with Copilot CLI 1.0.102, which speaks the Agent Client Protocol. It tells no names of its tools
// there, but their arguments as its hooks have them.

import { join } from "node:path";
import { joinWords } from "../../core/command/words.ts";
import { asName } from "../log/json-fields.ts";
import { type AcpSpeaker, acpProtocol } from "../protocol/acp/conversation.ts";
import {
  type AcpTraits,
  type OwnCall,
  readPlainCall,
  type SeenCall,
} from "../protocol/acp/traits.ts";
import type { AgentCommand, AgentExecutionContext } from "../run/adapter.ts";
import type { StepHook, StepHookEntry } from "../run/conversation.ts";
import { wholeSeconds } from "../steps/installer.ts";
import { copilotAcp } from "./run.ts";

const TRAITS: AcpTraits = {
  usage: "session",
  saysErrors: true,
  toolName: () => null,
  readCall: readCopilotCall,
};

/** It asks in the mode in which it starts, but goes on in the one that the session was left in. */
const speakWith = (stepHook: StepHook | null): AcpSpeaker => ({
  adapter: { ...copilotAcp, buildCommand: (context) => buildCommand(context, stepHook) },
  traitsOf: () => TRAITS,
  askingModes: ["agent"],
  askingOptions: { allow_all: "off" },
  takesAnyModel: true,
});

export const copilotConversation = acpProtocol(speakWith);

/** A hook answers before the protocol asks, and its refusal reaches the model word by word. */
function buildCommand(context: AgentExecutionContext, stepHook: StepHook | null): AgentCommand {
  const command = copilotAcp.buildCommand(context);
  if (stepHook === null) return command;
  const { args, env, files } = describeCopilotHooks(stepHook, context.logDir);
  return {
    ...command,
    args: [...command.args, ...args],
    env: { ...command.env, ...env },
    files: [...command.files, ...files],
  };
}

/** The arguments as they were announced: when it asks it tells others. */
export function readCopilotCall(call: SeenCall): OwnCall {
  const args = call.firstInput;
  if (Object.keys(args).length === 0)
    return { tool: findByTitle(call), args: readPlainCall(call).args };
  // A patch, whose free text is not told: what it does to this file is.
  const changed = asName(args.fileName);
  if (changed !== null) return { tool: "edit", args: { path: changed, diff: args.diff } };
  const named = RULES.map(([argument, find]) =>
    Object.hasOwn(args, argument) ? find(call) : null,
  );
  return { tool: named.find((tool) => tool !== null) ?? findByTitle(call), args };
}

type ToolRule = readonly [argument: string, findTool: (call: SeenCall) => string | null];

/** Only what is told as reading may be taken for a tool that reads: a server's tool may have the same arguments. */
const ifKind =
  (wanted: string, findTool: (title: string) => string) =>
  ({ kind, title }: SeenCall): string | null =>
    kind === wanted ? findTool(title) : null;

/**
 * The argument that only this tool has; the first that fits. The kinds are of little help: `grep` is told as one that
 * reads, and `write_bash` as one that edits.
 */
const RULES: readonly ToolRule[] = [
  ["command", () => "bash"],
  ["input", () => "write_bash"],
  ["file_text", () => "create"],
  ["old_str", () => "edit"],
  ["agent_type", () => "task"],
  ["skill", () => "skill"],
  ["url", ifKind("fetch", () => "web_fetch")],
  ["pattern", ifKind("read", (title) => (title.startsWith("Finding files") ? "glob" : "grep"))],
  ["path", ifKind("read", () => "view")],
  ["query", ifKind("fetch", () => "web_search")],
  ["query", ifKind("other", () => "sql")],
];

const USUAL_TOOLS: Readonly<Record<string, string>> = {
  execute: "bash",
  edit: "edit",
  read: "view",
  fetch: "web_fetch",
};

/** A tool that it has no words for is called by its name. */
const findByTitle = ({ kind, title }: SeenCall): string =>
  USUAL_TOOLS[kind] ?? asName(title) ?? kind;

// Hooks for one run of Copilot CLI: a plugin in the folder of the run's log, named on the command line. The user's own
// files stay as they are, and their hooks are called beside it.

/** 1.0.102 runs the tool when a hook takes longer than this, so ours must have given up before. */
const MARGIN_MS = 30_000;

export function describeCopilotHooks(hook: StepHook, logDir: string): StepHookEntry {
  const folder = join(logDir, "step-hooks");
  const entry = {
    type: "command",
    bash: joinWords(hook.argv),
    timeoutSec: wholeSeconds(hook.limitMs + MARGIN_MS),
  };
  const plugin = { name: "adjutant-step-hooks", version: "1.0.0", hooks: "hooks.json" };
  const hooks = { version: 1, hooks: { preToolUse: [entry] } };
  return {
    args: ["--plugin-dir", folder],
    env: hook.env,
    files: [
      { path: join(folder, "plugin.json"), text: JSON.stringify(plugin) },
      { path: join(folder, "hooks.json"), text: JSON.stringify(hooks) },
    ],
  };
}
