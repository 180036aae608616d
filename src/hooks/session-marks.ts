// What has to be remembered between the steps of one session: which `once` rules ran, how often a turn was sent on,
// and whether its prompt was answered here. Each is a file, so that steps in several processes at a time do not disturb each other.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../config/file-problem.ts";
import { pathName } from "../config/path-name.ts";
import { replaceCache } from "../config/replace-file.ts";
import { type AgentSession, sessionFolder } from "./session-folder.ts";

export const hasRunOnce = (session: AgentSession, rule: string): boolean =>
  existsSync(onceFile(session, rule));

/** Where nothing can be remembered a guard rather speaks twice than never. */
export const markRunOnce = (session: AgentSession, rule: string): void =>
  replaceCache(onceFile(session, rule), "");

const onceFile = (session: AgentSession, rule: string): string =>
  join(sessionFolder(session), `once-${pathName(rule.toWellFormed())}`);

/** Of the turn of the agent itself, or of one of its subagents. */
export function countContinues(session: AgentSession, whose: string): number {
  try {
    return Number(readFileSync(continuesFile(session, whose), "utf8")) || 0;
  } catch (error) {
    if (errorCode(error) === null) throw error;
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
  join(sessionFolder(session), `continues-${pathName(whose.toWellFormed())}`);

/** The prompt was answered without the model, though the agent will end a turn as if it had been asked. */
export const markAnswered = (session: AgentSession): void =>
  replaceCache(answeredFile(session), "");

/** True once. */
export function takeAnswered(session: AgentSession): boolean {
  const file = answeredFile(session);
  if (!existsSync(file)) return false;
  rmSync(file, { force: true });
  return true;
}

const answeredFile = (session: AgentSession): string => join(sessionFolder(session), "answered");
