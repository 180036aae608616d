// opencode's commands, as 1.18.33 reads them: nothing escapes a placeholder.
import { join } from "node:path";
import {
  foldersBelow,
  type NativeFormat,
  type NativePart,
  type ReadBody,
  textPart,
} from "../native/format.ts";
import {
  type FoundPart,
  printMarkdown,
  readDollarCommand,
  readDollars,
  readMarkdown,
} from "../native/markdown-text.ts";
import { agentHome, type InstallContext, type InstallScope } from "../steps/installer.ts";

const homeOf = (scope: InstallScope, target: InstallContext): string =>
  scope === "project"
    ? join(target.root, ".opencode")
    : join(agentHome(target, "XDG_CONFIG_HOME", ".config"), "opencode");

export const opencodeFormat: NativeFormat = {
  agent: "opencode",
  takes: "words",
  keys: new Map([["description", "description"]]),
  ownKeys: new Map([
    ["model", "model"],
    ["agent-name", "agent"],
  ]),
  personOnly: {},
  markLine: 1,
  ...foldersBelow(homeOf),
  fileOf: (name) => `${name}.md`,
  skillsOf: (scope, target) => (scope === "project" ? join(homeOf(scope, target), "skills") : null),
  // It reads the older name of the folder, too.
  sourcesOf: (scope, target) =>
    ["commands", "command"].map((name) => ({
      folder: join(homeOf(scope, target), name),
      layout: "files",
      ending: ".md",
      read: readMarkdown,
    })),
  print: printMarkdown,
  printBody,
  readBody,
};

function printBody(parts: readonly NativePart[]): string {
  const printed = parts.map((part) => {
    if (part.kind === "text") return part.text;
    return part.kind === "word" ? `$${part.at + 1}` : "$ARGUMENTS";
  });
  return printed.join("");
}

const PATTERN =
  /!`(?<command>[^`]+)`|\$(?<number>\d+)|(?<all>\$ARGUMENTS)|(?<![\w`])@(?<file>\.?[^\s`,.$]*(?:\.[^\s`,.$]+)*)/g;

function readBody(body: string): ReadBody {
  return readDollars(body, PATTERN, ({ command, number, all, file = "" }, written): FoundPart => {
    if (command !== undefined) return readDollarCommand(written, command);
    if (all !== undefined) return { part: { kind: "all" } };
    if (number === undefined) return { part: { kind: "file", path: file, written } };
    if (Number(number) > 0) return { part: { kind: "word", at: Number(number) - 1 } };
    return { part: textPart(written), problem: "`$0`, which stands for nothing there" };
  });
}
