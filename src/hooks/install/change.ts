// Puts our entries into an agent's own file, or takes them out again.
import type {
  EntryRequest,
  HookInstaller,
  HookScope,
  InstallContext,
} from "../../agents/steps/installer.ts";
import { refuseLinks } from "../../core/project/project-links.ts";
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
  type FileState,
  type InstallDecision,
  type UninstallDecision,
} from "./decide.ts";
import { dropInstallRecord, hashText, readInstallRecord, writeInstallRecord } from "./record.ts";

interface HooksChangeRequest {
  /** For `managed` the installer is the one of that layer. */
  readonly scope: HookScope;
  readonly target: InstallContext;
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
  entries: EntryRequest,
  request: HooksChangeRequest,
): Promise<HooksChange> {
  const file = findConfigFile(installer, request);
  const state = readFileState(request.stateDir, file);
  const decision =
    installer.kind === "plugin"
      ? decidePluginInstall(
          state,
          await installer.makeSource(request.client, entries.guarded.has("before_tool")),
        )
      : decideInstall(state, installer, entries);
  if (!request.isDryRun) {
    applyInstall(decision, { ...request, agent: installer.agent, state });
    changeCompanion(installer, { ...request, file, isWanted: true });
  }
  const before = state.text;
  if (decision.kind === "unchanged") return { file, did: "nothing", before, after: before };
  const did = before === null ? "created" : "changed";
  return { file, did, before, after: decision.text };
}

/** As a plugin of ours says that there were guards when it was written. */
const WAS_GUARDED = /^const WAS_GUARDED = true;$/m;

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
          source: await installer.makeSource(request.client, WAS_GUARDED.test(state.text ?? "")),
        })
      : decideUninstall(state, installer);
  if (!request.isDryRun) {
    if (decision.kind !== "absent")
      changeCompanion(installer, { ...request, file, isWanted: false });
    applyUninstall(decision, { ...request, agent: installer.agent, state });
  }
  const before = state.text;
  if (decision.kind === "absent") return { file, did: "nothing", before, after: before };
  return decision.kind === "remove"
    ? { file, did: "removed", before, after: null }
    : { file, did: "changed", before, after: decision.text };
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

// Does what was decided, so that a kill at any moment leaves the old or the new file and a record that fits both.

const readFileState = (stateDir: string, file: string): FileState => ({
  file,
  text: readExactText(file),
  record: readInstallRecord(stateDir, file),
});

interface Applying {
  readonly agent: string;
  readonly scope: HookScope;
  readonly stateDir: string;
  readonly state: FileState;
}

/** A user's settings are the user's alone; a project's are shared; an administrator's are read by all. */
const NEW_MODES = { user: 0o600, project: 0o666, managed: 0o644 } as const;

function applyInstall(
  decision: InstallDecision,
  { agent, scope, stateDir, state }: Applying,
): void {
  if (decision.kind === "unchanged") return;
  const { text, original } = decision;
  const { file, record } = state;
  const isSame = record !== null && record.original === original;
  const base = {
    agent,
    file,
    original,
    written: [...(isSame ? record.written : []), hashText(text)],
    folders: isSame ? record.folders : [],
  };
  writeInstallRecord(stateDir, base);
  const made = writeExactText(file, text, NEW_MODES[scope]);
  if (scope === "managed" && state.text === null) openToAll(file, made);
  if (made.length > 0) writeInstallRecord(stateDir, { ...base, folders: made });
}

function applyUninstall(
  decision: UninstallDecision,
  { scope, stateDir, state: { file, record } }: Applying,
): void {
  if (decision.kind === "write") writeExactText(file, decision.text, NEW_MODES[scope]);
  if (decision.kind === "remove") removeFile(file, record?.folders ?? []);
  dropInstallRecord(stateDir, file);
}
