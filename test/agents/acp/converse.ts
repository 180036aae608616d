import { join } from "node:path";
import {
  type Attempt,
  type Attempted,
  attempt,
  makePlace,
  type Place,
} from "../run/scripted-agent.ts";
import type { Script } from "./scripted-agent.ts";

const PROGRAM = join(import.meta.dirname, "scripted-agent.ts");

/** Talks with a program of our own that follows a script, in a workspace of its own. */
export const talk = (
  script: Script,
  changes: Partial<Attempt> = {},
  place: Place = makePlace(),
): Promise<Attempted> =>
  runProgram([process.execPath, PROGRAM, JSON.stringify(script)], changes, place);

export const runProgram = (
  argv: readonly string[],
  changes: Partial<Attempt> = {},
  place: Place = makePlace(),
): Promise<Attempted> =>
  attempt(place, {
    agent: "acp",
    program: "",
    ...changes,
    config: { argv, permission_mode: "auto", ...changes.config },
  });

export const codesOf = ({ log }: Attempted): string[] => log.errors.map(({ code }) => code);

/** What the agent said, as one text. */
export const saidBy = ({ log }: Attempted): string =>
  log.messages
    .filter(({ role }) => role === "assistant")
    .map(({ content }) => content)
    .join("");
