// How Qwen Code 0.24.4 keeps a conversation: one process that asks its client before it does what needs a permission.

import { join } from "node:path";
import { parse } from "jsonc-parser";
import { joinWords } from "../../core/command/words.ts";
import { readTextOrEmpty } from "../../core/project/files.ts";
import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import { asList } from "../log/json-fields.ts";
import { streamJsonProtocol } from "../protocol/stream-json/open.ts";
import type { StepHook, StepHookEntry } from "../run/conversation.ts";
import { QWEN_ABILITIES } from "./hooks.ts";
import { qwenInstaller } from "./install.ts";
import { qwenAdapter } from "./run.ts";

/** The most that it takes; unsaid it is a minute, and then it denies. */
const QUESTION_LIMIT_MS = 600_000;

export const qwenConversation = streamJsonProtocol({
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

// Our hook handed to one run of Qwen Code alone, in the place of the system's settings. It can refuse a tool, not permit
// one, and after 60 s the tool runs whatever `timeout` says (0.24.4): who answers must do so before.

const VARIABLE = "QWEN_CODE_SYSTEM_SETTINGS_PATH";
const TOOL_EVENT = { event: "PreToolUse", step: "before_tool" } as const;

export function qwenStepHooks(
  { argv, env }: StepHook,
  logDir: string,
  systemFile = process.env[VARIABLE] || "/etc/qwen-code/settings.json",
): StepHookEntry {
  const entry = qwenInstaller.makeEntry(TOOL_EVENT, {
    command: joinWords(argv),
    limitMs: QWEN_ABILITIES.hookLimitMs,
    guarded: new Set(),
    http: null,
    isShimsOnly: false,
  });
  const path = join(logDir, "qwen-settings.json");
  const text = JSON.stringify(addEntry(readSystemSettings(systemFile), entry));
  return { args: [], env: { ...env, [VARIABLE]: path }, files: [{ path, text }] };
}

/** What an administrator decided holds for this run too. */
function addEntry(settings: JsonRecord, entry: object): JsonRecord {
  const hooks = asRecord(settings.hooks);
  const entries = [...asList(hooks[TOOL_EVENT.event]), entry];
  return { ...settings, disableAllHooks: false, hooks: { ...hooks, [TOOL_EVENT.event]: entries } };
}

function readSystemSettings(file: string): JsonRecord {
  // What cannot be read here qwen, as the same user, could not read either.
  return asRecord(parse(readTextOrEmpty(file), [], { allowTrailingComma: true }));
}
