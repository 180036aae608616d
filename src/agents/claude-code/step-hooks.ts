// Our hook handed to one run of Claude Code alone, by `--settings`.
import { joinWords } from "../../core/command/words.ts";
import { compareVersions } from "../run/capabilities.ts";
import type { StepHook, StepHookEntry } from "../run/conversation.ts";
import { claudeCodeInstaller } from "./install.ts";

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
