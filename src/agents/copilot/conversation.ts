// A conversation with Copilot CLI 1.0.102, which speaks the Agent Client Protocol. It tells no names of its tools
// there, but their arguments as its hooks have them.

import { asName } from "../log/json-fields.ts";
import { type AcpSpeaker, openAcpConversation } from "../protocol/acp/conversation.ts";
import {
  type AcpTraits,
  type OwnCall,
  readPlainCall,
  type SeenCall,
} from "../protocol/acp/traits.ts";
import type { AgentCommand, AgentExecutionContext } from "../run/adapter.ts";
import type { ConversationWay, StepHook } from "../run/conversation.ts";
import { buildCopilotAcpCommand, copilotAdapter } from "./run.ts";
import { describeCopilotHooks } from "./step-hooks.ts";

const TRAITS: AcpTraits = {
  usage: "session",
  saysErrors: true,
  toolName: () => null,
  readCall: readCopilotCall,
};

/** It asks in the mode in which it starts, but goes on in the one that the session was left in. */
const speakWith = (stepHook: StepHook | null): AcpSpeaker => ({
  adapter: { ...copilotAdapter, buildCommand: (context) => buildCommand(context, stepHook) },
  traitsOf: () => TRAITS,
  askingModes: ["agent"],
  askingOptions: { allow_all: "off" },
  takesAnyModel: true,
});

export const copilotConversation: ConversationWay = {
  asks: "permissions",
  open: (context) => openAcpConversation(speakWith(context.stepHook), context),
};

/** A hook answers before the protocol asks, and its refusal reaches the model word by word. */
function buildCommand(context: AgentExecutionContext, stepHook: StepHook | null): AgentCommand {
  const command = buildCopilotAcpCommand(context);
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
  const tool = findName(call, (name) => Object.hasOwn(args, name));
  return { tool, args: Object.keys(args).length > 0 ? args : readPlainCall(call).args };
}

type HasArgument = (name: string) => boolean;

/** By the argument that only this tool of its kind has. */
const BY_ARGUMENT: Readonly<
  Record<string, readonly (readonly [argument: string, tool: string])[]>
> = {
  execute: [["input", "write_bash"]],
  edit: [
    ["file_text", "create"],
    ["patch", "apply_patch"],
    ["input", "apply_patch"],
  ],
  search: [["output_mode", "grep"]],
  fetch: [["query", "web_search"]],
};

const USUAL_TOOLS: Readonly<Record<string, string>> = {
  execute: "bash",
  edit: "edit",
  read: "view",
  search: "grep",
  fetch: "web_fetch",
};

function findName({ kind, title }: SeenCall, has: HasArgument): string {
  const found = BY_ARGUMENT[kind]?.find(([argument]) => has(argument));
  return found?.[1] ?? USUAL_TOOLS[kind] ?? asName(title) ?? kind;
}
