// What is in an agent's file now, broken or not; nothing is changed and nothing throws for what the file holds.
import { requireInstaller } from "../../agents/roster.ts";
import {
  HOOK_SCOPES,
  type HookInstaller,
  type HookScope,
  type InstallContext,
  installerFor,
} from "../../agents/steps/installer.ts";
import { Fault } from "../../core/command/fault.ts";
import { readExactText } from "./config-file.ts";
import { parseConfig, readConfigValue } from "./config-text.ts";
import { PLUGIN_MARK, readPluginFacts } from "./decide.ts";
import { type InstalledHandler, isOurHandler, listHandlers } from "./entries.ts";

export interface HooksSeen {
  readonly file: string;
  readonly kind: "installed" | "absent" | "broken";
  /** Why it is broken. */
  readonly problem: string | null;
  readonly ours: readonly InstalledHandler[];
  readonly others: readonly InstalledHandler[];
  /** The whole file as data; an empty object where it is none. */
  readonly config: unknown;
  /** How long a plugin waits where a person may be asked. */
  readonly askLimitMs?: number;
}

export function lookAtHooks(
  installer: HookInstaller,
  scope: HookScope,
  context: InstallContext,
): HooksSeen {
  const layer = installerFor(installer, scope);
  if (layer === null) return { ...NOTHING, file: "", kind: "absent" };
  return lookAtFile(layer, layer.configFile(scope === "project" ? scope : "user", context));
}

const NOTHING = { problem: null, ours: [], others: [], config: {} } as const;

/** One file of the agent, whether or not it is the one that ours are written into. */
export function lookAtFile(installer: HookInstaller, file: string): HooksSeen {
  const nothing = { ...NOTHING, file };
  try {
    const text = readExactText(file);
    if (text === null) return { ...nothing, kind: "absent" };
    if (installer.kind === "plugin") {
      const kind = PLUGIN_MARK.test(text) ? "installed" : "absent";
      const { askLimitMs } = readPluginFacts(text, installer.abilities);
      return { ...nothing, kind, askLimitMs };
    }
    const config = readConfigValue(parseConfig(file, text, installer));
    const all = listHandlers(config);
    const ours = all.filter(({ handler }) => isOurHandler(handler));
    const others = all.filter(({ handler }) => !isOurHandler(handler));
    return { ...nothing, kind: ours.length > 0 ? "installed" : "absent", ours, others, config };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...nothing, kind: "broken", problem: error.message };
  }
}

/** Whether the agent calls our hooks in this project, in any layer. */
export async function areHooksInstalled(agent: string, context: InstallContext): Promise<boolean> {
  const installer = await requireInstaller(agent);
  return HOOK_SCOPES.some((scope) => lookAtHooks(installer, scope, context).kind === "installed");
}
