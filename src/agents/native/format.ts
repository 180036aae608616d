// What is known of one agent's own custom commands. Pure; reading and writing files is done elsewhere.
import { join } from "node:path";
import type { FrontMatter } from "../../core/project/front-matter.ts";
import type { InstallContext, InstallScope } from "../steps/installer.ts";

export interface NativeText {
  readonly fields: FrontMatter;
  readonly body: string;
}

export interface ReadBody {
  readonly parts: readonly NativePart[];
  /** What these parts do not say. */
  readonly problems: readonly string[];
}

/** Where native commands lie; of a skill only `SKILL.md` is one. */
export interface NativeSource {
  readonly folder: string;
  readonly layout: "files" | "skills";
  /** `.md`, `.toml`; nothing for skills. */
  readonly ending: string;
  /** Throws `FileInvalid`. */
  read(text: string, file: string): NativeText;
}

export interface NativeFormat {
  readonly agent: string;
  /** What of the typed words a command can have a place for. */
  readonly takes: "words" | "line";
  /** The agent's key for each of ours. */
  readonly keys: ReadonlyMap<string, string>;
  /** The same for keys that only mean something to this agent. */
  readonly ownKeys: ReadonlyMap<string, string>;
  /** What keeps the model from calling a command by itself; null where nothing does. */
  readonly personOnly: FrontMatter | null;
  /** The line at which a comment may stand, from 0. */
  readonly markLine: number;
  /** The agent's own variables are honoured. */
  folderOf(scope: InstallScope, target: InstallContext): string;
  /** Below that folder. */
  fileOf(name: string): string;
  /** Where it looks for skills; null where that is not known. */
  skillsOf(scope: InstallScope, target: InstallContext): string | null;
  /** One of these is there where the agent is used. */
  signsOf(scope: InstallScope, target: InstallContext): readonly string[];
  /** All that the agent itself reads there, ours included. */
  sourcesOf(scope: InstallScope, target: InstallContext): readonly NativeSource[];
  print(text: NativeText): string;
  /** May not say what it was given: who needs that reads it back. */
  printBody(parts: readonly NativePart[]): string;
  readBody(body: string, fields: FrontMatter): ReadBody;
}

/** For agents that keep commands and skills in folders of these names below one of their own. */
export const foldersBelow = (
  homeOf: NativeFormat["folderOf"],
): Pick<NativeFormat, "folderOf" | "skillsOf" | "signsOf"> => ({
  folderOf: (scope, target) => join(homeOf(scope, target), "commands"),
  skillsOf: (scope, target) => join(homeOf(scope, target), "skills"),
  signsOf: (scope, target) => [homeOf(scope, target)],
});

/** What a prompt is made of, in our format and in those of the agents: text, and places for what is typed. */
export type NativePart =
  | { readonly kind: "text"; readonly text: string }
  /** All that is typed after the command. */
  | { readonly kind: "all" }
  /** One word of it, counted from 0. */
  | { readonly kind: "word"; readonly at: number }
  /** A command whose output stands there; `written` as the agent has it. */
  | { readonly kind: "command"; readonly command: string; readonly written: string }
  | { readonly kind: "file"; readonly path: string; readonly written: string };

export const textPart = (text: string): NativePart => ({ kind: "text", text });

/** Neighbouring texts become one, empty ones none. */
export function joinTextParts(parts: readonly NativePart[]): NativePart[] {
  const joined: NativePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind !== "text") joined.push(part);
    else if (last?.kind === "text") joined[joined.length - 1] = textPart(last.text + part.text);
    else if (part.text !== "") joined.push(part);
  }
  return joined;
}

export function areSameParts(some: readonly NativePart[], others: readonly NativePart[]): boolean {
  const [left, right] = [joinTextParts(some), joinTextParts(others)];
  return (
    left.length === right.length &&
    left.every((part, at) => contentOf(part) === contentOf(right[at]))
  );
}

function contentOf(part: NativePart | undefined): string {
  if (part === undefined) return "";
  const { written: _, ...content } = { written: "", ...part };
  return JSON.stringify(content, Object.keys(content).sort());
}

/** What is typed could complete a directive where it is put in before directives are looked for. */
export const couldBeCompleted = (parts: readonly NativePart[]): boolean =>
  parts.some((part, at) => {
    if (part.kind !== "all" && part.kind !== "word") return false;
    const [before, after] = [parts[at - 1], parts[at + 1]];
    return (
      before?.kind === "file" ||
      (before?.kind === "text" && /[!@]$/.test(before.text)) ||
      (after?.kind === "text" && after.text.startsWith("`"))
    );
  });
