// Puts our entries into an agent's own file, or takes them out again.
import { findMcpInstaller } from "../../agents/roster.ts";
import type {
  EntryRequest,
  HookInstaller,
  HookScope,
  InstallContext,
} from "../../agents/steps/installer.ts";
import { refuseLinks } from "../../core/project/files.ts";
import {
  applyInstall,
  applyUninstall,
  changeBy,
  type HooksChange,
  NEW_MODES,
  readFileState,
} from "./apply.ts";
import {
  checkWritable,
  openToAll,
  readExactText,
  removeFile,
  writeExactText,
} from "./config-file.ts";
import {
  decideInstall,
  decidePluginInstall,
  decidePluginUninstall,
  decideUninstall,
  readPluginFacts,
} from "./decide.ts";
import type { FilePart } from "./file-part.ts";
import { serverPart } from "./server-part.ts";

interface HooksChangeRequest {
  /** For `managed` the installer is the one of that layer. */
  readonly scope: HookScope;
  readonly target: InstallContext;
  readonly stateDir: string;
  /** The program that entries call, with its words before the name of the agent. */
  readonly client: readonly string[];
  readonly isDryRun?: boolean;
}

/** A file that is broken, or that its agent would not take, is a fault and stays as it is. */
export async function installHooks(
  installer: HookInstaller,
  entries: EntryRequest,
  request: HooksChangeRequest,
): Promise<HooksChange> {
  const file = findConfigFile(installer, request);
  const state = readFileState(request.stateDir, file);
  const decision =
    installer.kind === "plugin"
      ? decidePluginInstall(
          state,
          await installer.makeSource(request.client, {
            isGuarded: entries.guarded.has("before_tool"),
            askLimitMs: entries.heldLimitMs ?? entries.limitMs,
          }),
        )
      : decideInstall(state, installer, entries, await findServerBeside(installer, file, request));
  if (!request.isDryRun) {
    applyInstall(decision, { ...request, agent: installer.agent, state });
    changeCompanion(installer, { ...request, file, isWanted: true });
  }
  return changeBy(state, decision);
}

/** Byte for byte what it was if nobody else changed it; else without our entries. */
export async function uninstallHooks(
  installer: HookInstaller,
  request: HooksChangeRequest,
): Promise<HooksChange> {
  const file = findConfigFile(installer, request);
  const state = readFileState(request.stateDir, file);
  const decision =
    installer.kind === "plugin"
      ? decidePluginUninstall(state, {
          agent: installer.agent,
          source: await installer.makeSource(
            request.client,
            readPluginFacts(state.text ?? "", installer.abilities),
          ),
        })
      : decideUninstall(state, installer, await findServerBeside(installer, file, request));
  if (!request.isDryRun) {
    if (decision.kind !== "absent")
      changeCompanion(installer, { ...request, file, isWanted: false });
    applyUninstall(decision, { ...request, agent: installer.agent, state });
  }
  return changeBy(state, decision);
}

/** A project's file may be a link that somebody else made; a person's own leads where the person wants. */
function findConfigFile(
  installer: HookInstaller,
  { scope, target, isDryRun }: HooksChangeRequest,
): string {
  const file = installer.configFile(scope === "managed" ? "user" : scope, target);
  if (scope === "project") refuseLinks(target.root, file);
  if (scope === "managed" && isDryRun !== true) checkWritable(file);
  return file;
}

/** Our server in the same file, for agents that keep both there. */
async function findServerBeside(
  { agent }: HookInstaller,
  file: string,
  { scope, target }: HooksChangeRequest,
): Promise<FilePart | null> {
  const servers = scope === "managed" ? null : await findMcpInstaller(agent);
  if (servers === null || scope === "managed") return null;
  return servers.configFiles(scope, target).includes(file) ? serverPart(file, servers) : null;
}

interface CompanionChange extends HooksChangeRequest {
  readonly file: string;
  readonly isWanted: boolean;
}

/** Somebody else's file of that name stays as it is. */
function changeCompanion(
  installer: HookInstaller,
  { file, scope, target, isWanted }: CompanionChange,
): void {
  const companion = installer.companion?.(file);
  if (companion === undefined) return;
  if (scope === "project") refuseLinks(target.root, companion.file);
  const text = readExactText(companion.file);
  if (isWanted && text === null) {
    const made = writeExactText(companion.file, companion.text, NEW_MODES[scope]);
    if (scope === "managed") openToAll(companion.file, made);
  }
  if (!isWanted && text === companion.text) removeFile(companion.file, []);
}
