// Files of programs that look for a text in files.
import { HERE, type ShellWord } from "../simple-command.ts";
import { type FileUse, possibleUses } from "./file-effect.ts";
import { type FileRule, rowsOf, type UsesOf, usesBy } from "./operands.ts";
import { readOptions } from "./read-options.ts";

const rule = (operands: FileRule["operands"], more: Omit<FileRule, "operands"> = {}): UsesOf =>
  usesBy({ operands, ...more });

const GREP: Omit<FileRule, "operands"> = {
  valued: "ABCmdD",
  valuedLong: [
    "after-context",
    "before-context",
    "context",
    "max-count",
    "color",
    "colour",
    "binary-files",
    "exclude",
    "exclude-dir",
  ],
  pattern: ["-e", "--regexp", "-f", "--file"],
  files: { "-f": "read", "--file": "read", "--exclude-from": "read" },
  names: ["--include"],
};
const RIPGREP: Omit<FileRule, "operands"> = {
  valued: "ABCmtTjMgrEd",
  valuedLong: [
    "glob",
    "iglob",
    "type",
    "type-not",
    "max-count",
    "context",
    "replace",
    "max-depth",
    "sort",
    "sortr",
    "threads",
    "engine",
    "color",
    "colors",
    "max-columns",
    "type-add",
    "encoding",
    "max-filesize",
    "path-separator",
    "field-match-separator",
  ],
  pattern: ["-e", "--regexp", "-f", "--file", "--files", "--type-list"],
  files: { "-f": "read", "--file": "read", "--ignore-file": "read", "--pre": "execute" },
  names: ["-g", "--glob"],
  isRecursive: true,
  listing: ["--files", "--type-list"],
  skips: "hidden",
  unskipped: [
    "-u",
    "-.",
    "-L",
    "--follow",
    "--hidden",
    // Which names it means, capitals or not, is not looked at.
    "--iglob",
    "--ignore-file",
    "--no-ignore",
    "--unrestricted",
    "--no-ignore-vcs",
    "--no-ignore-dot",
  ],
};

/** They put a folder into one text, for a model or a report; what git ignores most of them leave out. */
function packingUses(words: readonly ShellWord[]): FileUse[] {
  const { operands } = readOptions(words, {});
  return [
    ...possibleUses(words),
    ...(operands.length === 0 ? [HERE] : operands).map(
      (word): FileUse => ({ access: "read", word, isRecursive: true, skips: "ignored" }),
    ),
  ];
}

export const SEARCHING_FILES: readonly (readonly [string, UsesOf])[] = [
  ...rowsOf(
    "grep egrep fgrep ggrep zgrep",
    rule("pattern", { ...GREP, recursive: ["-r", "-R", "--recursive", "--dereference-recursive"] }),
  ),
  ["rgrep", rule("pattern", { ...GREP, isRecursive: true })],
  // Without a file they go through the folder that they are in.
  ...rowsOf(
    "ug ugrep",
    rule("pattern", { ...GREP, isRecursive: true, skips: "hidden", unskipped: ["-.", "--hidden"] }),
  ),
  [
    "ack",
    rule("pattern", {
      valued: "ABCmg",
      valuedLong: ["after-context", "before-context", "context", "max-count", "type"],
      pattern: ["-f", "-g", "--match"],
      files: { "--files-from": "read", "--ackrc": "read" },
      listing: ["-f", "-g"],
      isRecursive: true,
    }),
  ],
  ...rowsOf("rg rga ripgrep-all", rule("pattern", { ...RIPGREP, skips: "hidden-and-ignored" })),
  ["ag", rule("pattern", RIPGREP)],
  ...rowsOf("repomix gitingest code2prompt files-to-prompt yek ai-digest trufflehog", packingUses),
];
