// A skill: a folder with `SKILL.md`, whose text reaches the model as it is. The typed words have no place in it.
import { join } from "node:path";
import { printMarkdown, readMarkdown } from "./markdown-text.ts";
import type { NativeFormat, NativeSource } from "./native-format.ts";
import { type NativePart, textPart } from "./part.ts";

export const SKILL_FILE = "SKILL.md";

/** What all agents that only know skills have in common. */
export const SKILLS: Pick<
  NativeFormat,
  | "takes"
  | "keys"
  | "ownKeys"
  | "personOnly"
  | "markLine"
  | "fileOf"
  | "print"
  | "printBody"
  | "readBody"
> = {
  takes: "nothing",
  keys: new Map([
    ["name", "name"],
    ["description", "description"],
  ]),
  ownKeys: new Map(),
  personOnly: null,
  markLine: 1,
  fileOf: (name) => join(name, SKILL_FILE),
  print: printMarkdown,
  printBody: (parts: readonly NativePart[]) =>
    parts.map((part) => (part.kind === "text" ? part.text : "")).join(""),
  readBody: (body: string) => ({ parts: [textPart(body)], problems: [] }),
};

export const skillSource = (folder: string): NativeSource => ({
  folder,
  layout: "skills",
  ending: "",
  read: readMarkdown,
});
