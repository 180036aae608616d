// Does what was decided, so that a kill at any moment leaves the old or the new file and a record that fits both.
import { readExactText, removeFile, writeExactText } from "./config-file.ts";
import type { FileState, InstallDecision, UninstallDecision } from "./decide.ts";
import type { InstallScope } from "./installer.ts";
import { dropRecord, hashText, readRecord, writeRecord } from "./record.ts";

export const readFileState = (stateDir: string, file: string): FileState => ({
  file,
  text: readExactText(file),
  record: readRecord(stateDir, file),
});

interface Applying {
  readonly agent: string;
  readonly scope: InstallScope;
  readonly stateDir: string;
  readonly state: FileState;
}

/** A user's settings are the user's alone; a project's are shared. */
const NEW_MODES = { user: 0o600, project: 0o666 } as const;

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
    written: [...(isSame ? record.written : []), hashText(text)],
    folders: isSame ? record.folders : [],
  };
  writeRecord(stateDir, base);
  const made = writeExactText(file, text, NEW_MODES[scope]);
  if (made.length > 0) writeRecord(stateDir, { ...base, folders: made });
}

export function applyUninstall(
  decision: UninstallDecision,
  { scope, stateDir, state: { file, record } }: Applying,
): void {
  if (decision.kind === "write") writeExactText(file, decision.text, NEW_MODES[scope]);
  if (decision.kind === "remove") removeFile(file, record?.folders ?? []);
  dropRecord(stateDir, file);
}
