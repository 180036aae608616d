// How Qwen Code 0.24.4 keeps a conversation: one process that asks its client before it does what needs a permission.
import type { JsonRecord } from "../log/json-fields.ts";
import { streamJsonWay } from "../protocol/stream-json/open.ts";
import { qwenAdapter } from "./run.ts";
import { qwenStepHooks } from "./step-hooks.ts";

/** The most that it takes; unsaid it is a minute, and then it denies. */
const QUESTION_LIMIT_MS = 600_000;

export const qwenConversation = streamJsonWay({
  adapter: qwenAdapter,
  words: ["--input-format", "stream-json"],
  initialize: { hooks: null, timeout: { canUseTool: QUESTION_LIMIT_MS } },
  ownFlags: [
    "--approval-mode",
    "--yolo",
    "--resume",
    "--continue",
    "--session-id",
    "--fork-session",
  ],
  unknownId: /No saved session found/i,
  questionLimitMs: QUESTION_LIMIT_MS,
  isInnerResult,
  stepHooks: (hook, { logDir, env }) =>
    qwenStepHooks(hook, logDir, env.QWEN_CODE_SYSTEM_SETTINGS_PATH),
  hookField: null,
});

/** A sub-agent that fails says so by a `result` of its own, without a mark and without figures. */
function isInnerResult({ is_error, num_turns, duration_ms }: JsonRecord): boolean {
  return is_error === true && num_turns === 0 && duration_ms === 0;
}
