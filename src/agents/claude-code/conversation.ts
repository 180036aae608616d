// How Claude Code 2.1.325 keeps a conversation: one process that asks its client before it does what needs a permission.
import { streamJsonWay } from "../protocol/stream-json/open.ts";
import { claudeCodeAdapter } from "./run.ts";
import { claudeStepHooks } from "./step-hooks.ts";

export const claudeCodeConversation = streamJsonWay({
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
