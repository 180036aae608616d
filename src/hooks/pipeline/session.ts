// What the hooks remember of one session of an agent, each thing in a file of its own.
import { existsSync, linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { NO_SESSION } from "../../agents/steps/read-step.ts";
import { Fault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import { fileErrorCode, makeFolder, replaceCache } from "../../core/project/files.ts";
import { findProjectRoot, pathToFileName } from "../../core/project/paths.ts";

export interface AgentSession {
  readonly stateDir: string;
  readonly agent: string;
  /** As the agent says it; whatever it is, it names one folder and none outside. */
  readonly sessionId: string;
}

/** Where the hooks keep what they know of one session of an agent. */
export const sessionFolder = ({ stateDir, agent, sessionId }: AgentSession): string =>
  join(stateDir, "hook-sessions", pathToFileName(`${agent}/${sessionId}`.toWellFormed()));

// What has to be remembered between the steps of one session: which `once` rules ran, how often a turn was sent on,
// and whether its prompt was answered here. Each is a file, so that steps in several processes at a time do not disturb each other.

export const hasRunOnce = (session: AgentSession, rule: string): boolean =>
  existsSync(onceFile(session, rule));

/** Where nothing can be remembered a guard rather speaks twice than never. */
export const markRunOnce = (session: AgentSession, rule: string): void =>
  replaceCache(onceFile(session, rule), "");

const onceFile = (session: AgentSession, rule: string): string =>
  join(sessionFolder(session), `once-${pathToFileName(rule.toWellFormed())}`);

/** How often a turn was sent on: that of the agent itself, or of one of its subagents. */
export function countContinues(session: AgentSession, whose: string): number {
  try {
    return Number(readFileSync(continuesFile(session, whose), "utf8")) || 0;
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return 0;
  }
}

export function noteContinue(session: AgentSession, whose: string, count: number): void {
  replaceCache(continuesFile(session, whose), String(count));
}

/** The turn is over, or another has begun. */
export function forgetContinues(session: AgentSession, whose: string): void {
  const file = continuesFile(session, whose);
  if (existsSync(file)) rmSync(file, { force: true });
}

const continuesFile = (session: AgentSession, whose: string): string =>
  join(sessionFolder(session), `continues-${pathToFileName(whose.toWellFormed())}`);

/** The prompt was answered without the model, though the agent will end a turn as if it had been asked. */
export const markAnswered = (session: AgentSession): void =>
  replaceCache(answeredFile(session), "");

/** Tells once whether the prompt was answered here; asked again it says no. */
export function takeAnswered(session: AgentSession): boolean {
  const file = answeredFile(session);
  if (!existsSync(file)) return false;
  rmSync(file, { force: true });
  return true;
}

const answeredFile = (session: AgentSession): string => join(sessionFolder(session), "answered");

// The project of an agent's session: where it was started. What the agent does later, `cd` above all, changes
// nothing about whose guards count.

interface SessionRootQuery extends AgentSession {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The variables by which the agent names its project, in the order in which they count. */
  readonly projectVariables: readonly string[];
  /** The folder of the step, which counts only when nothing is known yet. */
  readonly cwd: string;
}

export function findSessionRoot(question: SessionRootQuery): string {
  const named = question.projectVariables
    .map((name) => question.env[name])
    .find((value) => value !== undefined && isAbsolute(value));
  if (named !== undefined) return rootAround(named);
  if (question.sessionId === NO_SESSION) return rootAround(question.cwd);
  const file = join(sessionFolder(question), "root");
  return readRoot(file) ?? recordRoot(file, rootAround(question.cwd));
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

function readRoot(file: string): string | null {
  try {
    const text = readFileSync(file, "utf8");
    return isAbsolute(text) ? text : null;
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return null;
  }
}

/** The first to come decides, for all; where nothing can be written each step looks for itself. */
function recordRoot(file: string, root: string): string {
  const temporary = `${file}.${newId()}`;
  try {
    makeFolder(dirname(file), 0o700);
    writeFileSync(temporary, root, { mode: 0o600, flag: "wx" });
    try {
      linkSync(temporary, file);
    } finally {
      unlinkSync(temporary);
    }
    return root;
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return readRoot(file) ?? root;
  }
}
