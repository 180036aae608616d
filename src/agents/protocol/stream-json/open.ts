// What differs between the agents that speak stream-json, and how a conversation with one of them is opened.

import type { JsonRecord } from "../../../core/project/json-value.ts";
import { asList } from "../../log/json-fields.ts";
import type { AgentAdapter } from "../../run/adapter.ts";
import { findFlag } from "../../run/capabilities.ts";
import type {
  ConversationContext,
  ConversationProtocol,
  OpenedConversation,
  StepHook,
  StepHookEntry,
} from "../../run/conversation.ts";
import { prepareRun, type Refusal } from "../../run/prepare-run.ts";
import { StreamJsonConversation } from "./conversation.ts";

export interface StreamJsonRules {
  readonly adapter: AgentAdapter;
  /** Words behind those of a run, by which it stays, listens and asks. */
  readonly words: readonly string[];
  /** What is told with `initialize`. */
  readonly initialize: JsonRecord;
  /** Flags by which a user would undo that, or name another conversation. */
  readonly ownFlags: readonly string[];
  /** What it says where it knows no conversation of that id. */
  readonly unknownId: RegExp;
  /** So long it waits for an answer; null: without limit. */
  readonly questionLimitMs: number | null;
  /** Whether a `result` is the word of a sub-agent that failed, if one is at work. */
  readonly isInnerResult: (result: JsonRecord) => boolean;
  readonly stepHooks: (hook: StepHook, context: ConversationContext) => StepHookEntry;
  /** A field of the user's that a hook of this run leaves no place for. */
  readonly hookField: string | null;
}

export const streamJsonProtocol = (rules: StreamJsonRules): ConversationProtocol => ({
  asks: "permissions",
  refuses: rules.hookField === null ? [] : [rules.hookField],
  open: (context) => openStreamJson(rules, context),
});

const NO_HOOKS: StepHookEntry = { args: [], env: {}, files: [] };

async function openStreamJson(
  rules: StreamJsonRules,
  context: ConversationContext,
): Promise<OpenedConversation> {
  const { settings, resume, stepHook, ...rest } = context;
  const config = {
    ...settings,
    // The schema wants one; each prompt comes later, by stdin.
    prompt: "-",
    output_format: "stream-json",
    permission_mode: settings.permission_mode === "plan" ? "plan" : "ask",
    ...(resume === null ? {} : { resume }),
  };
  const request = { ...rest, config, timeout: 0, isPromptInArguments: true };
  const prepared = await prepareRun(rules.adapter, request);
  const refused = findRefusals(rules, context);
  if (prepared.kind === "refused")
    return { kind: "refused", errors: [...prepared.errors, ...refused] };
  if (refused.length > 0) return { kind: "refused", errors: refused };
  const hooks = stepHook === null ? NO_HOOKS : rules.stepHooks(stepHook, context);
  const conversation = new StreamJsonConversation(rules, { ...prepared.plan, hooks });
  return { kind: "open", conversation };
}

/** What a run would take and a conversation cannot. */
function findRefusals(rules: StreamJsonRules, context: ConversationContext): Refusal[] {
  const { settings, stepHook, agentVersion } = context;
  const { flags } = rules.adapter.capabilities(agentVersion ?? null);
  const written = asList(settings.extra_args).map((word) => findFlag(flags, String(word))?.name);
  const refused = rules.ownFlags
    .filter((flag) => written.includes(flag))
    .map((flag) => refuse("extra_args", `\`${flag}\` is set by Adjutant in a conversation`));
  const field = stepHook === null ? null : rules.hookField;
  if (field === null || (settings[field] === undefined && !written.includes(`--${field}`)))
    return refused;
  return [
    ...refused,
    refuse(field, "is taken by the hook by which the tools of a session are decided"),
  ];
}

const refuse = (path: string, why: string): Refusal => ({
  reason: "INVALID_CONFIG",
  message: `\`${path}\` ${why}`,
  path,
});
