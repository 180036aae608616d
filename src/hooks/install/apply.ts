// Does what was decided, so that a kill at any moment leaves the old or the new file and a record that fits both.

import type { HookScope } from "../../agents/steps/installer.ts";
import { sha256 } from "../../core/project/fingerprint.ts";
import { openToAll, readExactText, removeFile, writeExactText } from "./config-file.ts";
import type { FileState, InstallDecision, UninstallDecision } from "./file-part.ts";
import { dropInstallRecord, isUntouched, readInstallRecord, writeInstallRecord } from "./record.ts";

export interface HooksChange {
  readonly file: string;
  readonly did: "nothing" | "created" | "changed" | "removed";
  /** Null where there is no file. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What the decision does to the file, or would. */
export function changeBy(
  { file, text: before }: FileState,
  decision: InstallDecision | UninstallDecision,
): HooksChange {
  if (decision.kind === "unchanged" || decision.kind === "absent")
    return { file, did: "nothing", before, after: before };
  if (decision.kind === "remove") return { file, did: "removed", before, after: null };
  return { file, did: before === null ? "created" : "changed", before, after: decision.text };
}

export const readFileState = (stateDir: string, file: string): FileState => ({
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
export const NEW_MODES = { user: 0o600, project: 0o666, managed: 0o644 } as const;

export function applyInstall(
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
    written: [...(isSame ? record.written : []), sha256(text)],
    folders: isSame ? record.folders : [],
  };
  writeInstallRecord(stateDir, base);
  const made = writeExactText(file, text, NEW_MODES[scope]);
  if (scope === "managed" && state.text === null) openToAll(file, made);
  if (made.length > 0) writeInstallRecord(stateDir, { ...base, folders: made });
}

export function applyUninstall(
  decision: UninstallDecision,
  { scope, stateDir, state: { file, record, text } }: Applying,
): void {
  if (decision.kind === "write" && decision.isPartial === true) {
    // What the file was before is still wanted for the other thing of ours in it.
    if (record !== null && isUntouched(record, text ?? ""))
      writeInstallRecord(stateDir, {
        ...record,
        written: [...record.written, sha256(decision.text)],
      });
    writeExactText(file, decision.text, NEW_MODES[scope]);
    return;
  }
  if (decision.kind === "write") writeExactText(file, decision.text, NEW_MODES[scope]);
  if (decision.kind === "remove") removeFile(file, record?.folders ?? []);
  dropInstallRecord(stateDir, file);
}
