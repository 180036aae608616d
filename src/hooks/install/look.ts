// What is in an agent's file now, broken or not; nothing is changed and nothing throws for what the file holds.
import { Fault } from "../../command/fault.ts";
import { readExactText } from "./config-file.ts";
import { parseConfig, readValue } from "./config-text.ts";
import { PLUGIN_MARK } from "./decide.ts";
import type { HookInstaller, InstallPlace, InstallScope } from "./installer.ts";
import { type HandlerPlace, isOurHandler, listHandlers } from "./our-entry.ts";

export interface HooksSeen {
  readonly file: string;
  readonly kind: "installed" | "absent" | "broken";
  /** Why it is broken. */
  readonly problem: string | null;
  readonly ours: readonly HandlerPlace[];
  readonly others: readonly HandlerPlace[];
  /** The whole file as data; an empty object where it is none. */
  readonly config: unknown;
}

export function lookAtHooks(
  installer: HookInstaller,
  scope: InstallScope,
  place: InstallPlace,
): HooksSeen {
  const file = installer.configFile(scope, place);
  const nothing = { file, problem: null, ours: [], others: [], config: {} };
  try {
    const text = readExactText(file);
    if (text === null) return { ...nothing, kind: "absent" };
    if (installer.kind === "plugin")
      return { ...nothing, kind: PLUGIN_MARK.test(text) ? "installed" : "absent" };
    const config = readValue(parseConfig(file, text, installer));
    const all = listHandlers(config);
    const ours = all.filter(({ handler }) => isOurHandler(handler));
    const others = all.filter(({ handler }) => !isOurHandler(handler));
    return { ...nothing, kind: ours.length > 0 ? "installed" : "absent", ours, others, config };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...nothing, kind: "broken", problem: error.message };
  }
}
