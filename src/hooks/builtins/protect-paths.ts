// Keeps tools and shell lines away from files.
import type { StepName } from "../step.ts";
import type { Builtin } from "./builtin.ts";
import { ACCESSES, type ProtectOptions } from "./protect-options.ts";
import { choice, choices, optionalText, readFields, texts } from "./read-fields.ts";
import { ACTIONS, act, NO_INTERVENTION } from "./verdicts.ts";

const STEPS: readonly StepName[] = ["before_tool", "before_permission"];

export const protectPaths: Builtin<ProtectOptions> = {
  name: "protect-paths",
  description: "keeps files and folders from being read or written, through the shell too",
  steps: STEPS,
  readOptions: (raw) =>
    readFields(raw, {
      paths: texts(null),
      access: choices(ACCESSES, ACCESSES),
      except: texts([]),
      action: choice(ACTIONS, "deny"),
      reason: optionalText,
    }),
  async decide(options, subject, { rule }) {
    const { findTouch } = await import("./find-touch.ts");
    const touch = findTouch(options, subject);
    if (touch === null) return NO_INTERVENTION;
    return act(
      options.action,
      `${touch}, which \`${rule}\` protects${options.reason === null ? "" : `; ${options.reason}`}`,
    );
  },
};
