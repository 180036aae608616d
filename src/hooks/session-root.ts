// The project of an agent's session: where it was started. What the agent does later, `cd` above all, changes
// nothing about whose guards count.
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { Fault } from "../command/fault.ts";
import { errorCode } from "../config/file-problem.ts";
import { findProjectRoot } from "../config/project-root.ts";
import { newId } from "../new-id.ts";
import { NO_SESSION } from "./agents/build-envelope.ts";
import { type AgentSession, sessionFolder } from "./session-folder.ts";

export interface RootQuestion extends AgentSession {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the agent, in the order in which they count. */
  readonly projectVariables: readonly string[];
  /** Of the step; counts only when nothing is known yet. */
  readonly cwd: string;
}

export function findSessionRoot(question: RootQuestion): string {
  const named = question.projectVariables
    .map((name) => question.env[name])
    .find((value) => value !== undefined && isAbsolute(value));
  if (named !== undefined) return rootAround(named);
  if (question.sessionId === NO_SESSION) return rootAround(question.cwd);
  const file = join(sessionFolder(question), "root");
  return readRecord(file) ?? recordRoot(file, rootAround(question.cwd));
}

/** A folder that is gone has no project around it, and nobody could put one there unseen. */
function rootAround(folder: string): string {
  try {
    return findProjectRoot(folder);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return folder;
  }
}

function readRecord(file: string): string | null {
  try {
    const text = readFileSync(file, "utf8");
    return isAbsolute(text) ? text : null;
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return null;
  }
}

/** The first to come decides, for all; where nothing can be written each step looks for itself. */
function recordRoot(file: string, root: string): string {
  const temporary = `${file}.${newId()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, root, { mode: 0o600, flag: "wx" });
    try {
      linkSync(temporary, file);
    } finally {
      unlinkSync(temporary);
    }
    return root;
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return readRecord(file) ?? root;
  }
}
