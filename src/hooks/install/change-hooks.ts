import { applyInstall, applyUninstall, readFileState } from "./apply.ts";
import {
  decideInstall,
  decidePluginInstall,
  decidePluginUninstall,
  decideUninstall,
} from "./decide.ts";
import type { EntryWish, HookInstaller, InstallPlace, InstallScope } from "./installer.ts";

export interface HooksRequest {
  readonly scope: InstallScope;
  readonly place: InstallPlace;
  readonly stateDir: string;
  /** The program that entries call, with its words before the name of the agent. */
  readonly client: readonly string[];
  readonly isDryRun?: boolean;
}

export interface HooksChange {
  readonly file: string;
  readonly did: "nothing" | "created" | "changed" | "removed";
  /** Null where there is no file. */
  readonly before: string | null;
  readonly after: string | null;
}

/** A file that is broken, or that its agent would not take, is a fault and stays as it is. */
export async function installHooks(
  installer: HookInstaller,
  wish: EntryWish,
  request: HooksRequest,
): Promise<HooksChange> {
  const file = installer.configFile(request.scope, request.place);
  const state = readFileState(request.stateDir, file);
  const decision =
    installer.kind === "plugin"
      ? decidePluginInstall(state, await installer.makeSource(request.client))
      : decideInstall(state, installer, wish);
  if (!request.isDryRun) applyInstall(decision, { ...request, agent: installer.agent, state });
  const before = state.text;
  if (decision.kind === "unchanged") return { file, did: "nothing", before, after: before };
  const did = before === null ? "created" : "changed";
  return { file, did, before, after: decision.text };
}

/** Byte for byte what it was if nobody else changed it; else without our entries. */
export async function uninstallHooks(
  installer: HookInstaller,
  request: HooksRequest,
): Promise<HooksChange> {
  const file = installer.configFile(request.scope, request.place);
  const state = readFileState(request.stateDir, file);
  const decision =
    installer.kind === "plugin"
      ? decidePluginUninstall(state, await installer.makeSource(request.client))
      : decideUninstall(state, installer);
  if (!request.isDryRun) applyUninstall(decision, { ...request, agent: installer.agent, state });
  const before = state.text;
  if (decision.kind === "absent") return { file, did: "nothing", before, after: before };
  return decision.kind === "remove"
    ? { file, did: "removed", before, after: null }
    : { file, did: "changed", before, after: decision.text };
}
