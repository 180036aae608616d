// What is known of one agent's own custom commands. Pure; reading and writing files is done elsewhere.
import type { InstallPlace, InstallScope } from "../../hooks/install/installer.ts";
import type { FrontMatter } from "../front-matter-value.ts";
import type { NativePart } from "./part.ts";

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
  readonly takes: "words" | "line" | "nothing";
  /** Our keys and theirs. */
  readonly keys: ReadonlyMap<string, string>;
  /** The same for keys that only mean something to this agent. */
  readonly ownKeys: ReadonlyMap<string, string>;
  /** What keeps the model from calling a command by itself; null where nothing does. */
  readonly personOnly: FrontMatter | null;
  /** The line at which a comment may stand, from 0. */
  readonly markLine: number;
  /** The agent's own variables are honoured. */
  folderOf(scope: InstallScope, place: InstallPlace): string;
  /** Below that folder. */
  fileOf(name: string): string;
  /** One of these is there where the agent is used. */
  signsOf(scope: InstallScope, place: InstallPlace): readonly string[];
  /** All that the agent itself reads there, ours included. */
  sourcesOf(scope: InstallScope, place: InstallPlace): readonly NativeSource[];
  print(text: NativeText): string;
  /** May not say what it was given: who needs that reads it back. */
  printBody(parts: readonly NativePart[]): string;
  readBody(body: string, fields: FrontMatter): ReadBody;
}
