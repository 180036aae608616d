// opencode's commands, as 1.18.33 reads them: nothing escapes a placeholder.
import { join } from "node:path";
import { agentHome } from "../../hooks/install/agent-home.ts";
import type { InstallPlace, InstallScope } from "../../hooks/install/installer.ts";
import { type Found, readCommand, readDollars } from "./dollars.ts";
import { printMarkdown, readMarkdown } from "./markdown-text.ts";
import type { NativeFormat, ReadBody } from "./native-format.ts";
import { type NativePart, textPart } from "./part.ts";

const homeOf = (scope: InstallScope, place: InstallPlace): string =>
  scope === "project"
    ? join(place.root, ".opencode")
    : join(agentHome(place, "XDG_CONFIG_HOME", ".config"), "opencode");

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
  folderOf: (scope, place) => join(homeOf(scope, place), "commands"),
  fileOf: (name) => `${name}.md`,
  signsOf: (scope, place) => [homeOf(scope, place)],
  // It reads the older name of the folder, too.
  sourcesOf: (scope, place) =>
    ["commands", "command"].map((name) => ({
      folder: join(homeOf(scope, place), name),
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
  return readDollars(body, PATTERN, ({ command, number, all, file = "" }, written): Found => {
    if (command !== undefined) return readCommand(written, command);
    if (all !== undefined) return { part: { kind: "all" } };
    if (number === undefined) return { part: { kind: "file", path: file, written } };
    if (Number(number) > 0) return { part: { kind: "word", at: Number(number) - 1 } };
    return { part: textPart(written), problem: "`$0`, which stands for nothing there" };
  });
}
