// How Claude Code 2.1.325 keeps a conversation: one process that asks its client before it does what needs a permission.

import { joinWords } from "../../core/command/words.ts";
import { streamJsonProtocol } from "../protocol/stream-json/open.ts";
import { compareVersions } from "../run/capabilities.ts";
import type { StepHook, StepHookEntry } from "../run/conversation.ts";
import { claudeCodeInstaller } from "./install.ts";
import { claudeCodeAdapter } from "./run.ts";

export const claudeCodeConversation = streamJsonProtocol({
  adapter: claudeCodeAdapter,
  words: ["--input-format", "stream-json", "--permission-prompt-tool", "stdio"],
  initialize: { hooks: null },
  ownFlags: [
    ...["--permission-prompt-tool", "--permission-mode", "--permission-prompts"],
    ...["--dangerously-skip-permissions", "--allow-dangerously-skip-permissions"],
    ...["--resume", "--continue", "--session-id", "--fork-session", "--no-session-persistence"],
  ],
  unknownId: /No conversation found|not a valid (?:session id|UUID)|requires a valid session/i,
  questionLimitMs: null,
  isInnerResult: () => false,
  stepHooks: (hook, { logDir, agentVersion }) =>
    claudeStepHooks(hook, logDir, agentVersion ?? null),
  hookField: "settings",
});

// Our hook handed to one run of Claude Code alone, by `--settings`.

/** A hook that is late is passed over, so the agent waits longer than the answer may take. */
const MARGIN_MS = 10_000;

const TOOL_EVENT = { event: "PreToolUse", step: "before_tool" } as const;

/** By a shell line where the version is not known: an older one would start the program without its words. */
export function claudeStepHooks(
  { argv, env, limitMs }: StepHook,
  _logDir: string,
  version: string | null = null,
): StepHookEntry {
  const { makeEntry, execSince = "" } = claudeCodeInstaller;
  const canExec = version !== null && compareVersions(version, execSince) >= 0;
  const entry = makeEntry(TOOL_EVENT, {
    command: joinWords(argv),
    ...(canExec ? { exec: argv } : {}),
    limitMs: limitMs + MARGIN_MS,
    guarded: new Set([TOOL_EVENT.step]),
    http: null,
    isShimsOnly: false,
  });
  // These count more than the user's and the project's, which may have switched all hooks off.
  const settings = { disableAllHooks: false, hooks: { [TOOL_EVENT.event]: [entry] } };
  return { args: ["--settings", JSON.stringify(settings)], env, files: [] };
}
