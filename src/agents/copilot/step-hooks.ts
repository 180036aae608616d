// Hooks for one run of Copilot CLI: a plugin in the folder of the run's log, named on the command line. The user's own
// files stay as they are, and their hooks are called beside it.
import { join } from "node:path";
import { joinWords } from "../../core/command/words.ts";
import type { StepHook, StepHookEntry } from "../run/conversation.ts";
import { wholeSeconds } from "../steps/installer.ts";

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
