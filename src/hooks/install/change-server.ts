// Puts the entry of our MCP server into an agent's own file, or takes it out again.
import { existsSync } from "node:fs";
import { requireInstaller } from "../../agents/roster.ts";
import type { InstallContext, InstallScope, McpInstaller } from "../../agents/steps/installer.ts";
import { Fault } from "../../core/command/fault.ts";
import { refuseLinks } from "../../core/project/files.ts";
import {
  applyInstall,
  applyUninstall,
  changeBy,
  type HooksChange,
  readFileState,
} from "./apply.ts";
import { readExactText } from "./config-file.ts";
import { hooksPart } from "./decide.ts";
import { decidePutIn, decideTakeOut, type FilePart } from "./file-part.ts";
import { findServerWords, serverPart, wantedServer } from "./server-part.ts";

interface ServerChangeRequest {
  readonly scope: InstallScope;
  readonly target: InstallContext;
  readonly stateDir: string;
  readonly isDryRun?: boolean;
}

/** A file that is broken, or whose server of that name is somebody else's, is a fault and stays as it is. */
export async function installServer(
  installer: McpInstaller,
  words: readonly [string, ...string[]],
  request: ServerChangeRequest,
): Promise<HooksChange> {
  const file = findServerFile(installer, request);
  const state = readFileState(request.stateDir, file);
  const beside = await findHooksBeside(installer, file, request);
  const decision = decidePutIn(state, wantedServer(file, installer, words), beside);
  if (!request.isDryRun) applyInstall(decision, { ...request, agent: installer.agent, state });
  return changeBy(state, decision);
}

/** Byte for byte what it was if nobody else changed it; else without our entry. */
export async function uninstallServer(
  installer: McpInstaller,
  request: ServerChangeRequest,
): Promise<HooksChange> {
  const file = findServerFile(installer, request);
  const state = readFileState(request.stateDir, file);
  const beside = await findHooksBeside(installer, file, request);
  const part = serverPart(file, installer);
  // A record of hooks that somebody took out by hand is theirs.
  const decision =
    state.text === null || !part.has(state.text)
      ? ({ kind: "absent" } as const)
      : decideTakeOut(state, part, beside);
  if (!request.isDryRun && decision.kind !== "absent")
    applyUninstall(decision, { ...request, agent: installer.agent, state });
  return changeBy(state, decision);
}

/** A project's file may be a link that somebody else made. */
function findServerFile(
  installer: McpInstaller,
  { scope, target }: Pick<ServerChangeRequest, "scope" | "target">,
): string {
  const files = installer.configFiles(scope, target);
  const file = files.find((one) => existsSync(one)) ?? files[0];
  if (scope === "project") refuseLinks(target.root, file);
  return file;
}

/** Our hooks in the same file, for agents that keep both there. */
async function findHooksBeside(
  { agent }: McpInstaller,
  file: string,
  { scope, target }: ServerChangeRequest,
): Promise<FilePart | null> {
  const installer = await requireInstaller(agent);
  const isShared = installer.configFile(scope, target) === file && installer.kind === "entries";
  return isShared ? hooksPart(file, installer) : null;
}

interface ServerSeen {
  readonly scope: InstallScope;
  readonly file: string;
  /** What starts the server; null where the file has no entry of ours. */
  readonly words: readonly string[] | null;
  readonly problem: string | null;
}

/** Nothing throws for what the file holds. */
export function lookAtServer(
  installer: McpInstaller,
  scope: InstallScope,
  target: InstallContext,
): ServerSeen {
  const [first, ...more] = installer.configFiles(scope, target);
  const file = [first, ...more].find((one) => existsSync(one)) ?? first;
  try {
    const text = readExactText(file);
    const words = text === null ? null : findServerWords(file, installer, text);
    return { scope, file, words, problem: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { scope, file, words: null, problem: error.message };
  }
}
