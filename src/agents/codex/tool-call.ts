// What Codex's app server asks about, as the tool call that its hooks would be told of: the same name, the same
// arguments, so that a guard sees one thing whichever way it comes (0.166).
import { isAbsolute, relative } from "node:path";
import { quoteWord } from "../../core/command/words.ts";
import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import type { ToolArguments } from "../../core/step/envelope.ts";
import { asList, asName, asText } from "../log/json-fields.ts";

export interface RequestedCall {
  readonly callId: string | null;
  readonly tool: string;
  readonly args: ToolArguments;
}

/** A command line is asked about as it is run, `/bin/bash -lc '…'`; a hook is told what the model wrote. */
export function readAskedCommand(params: JsonRecord, cwd: string): RequestedCall | null {
  const line = asName(params.command);
  if (line === null || (params.kind ?? "command") !== "command") return null;
  const words = splitQuoted(line);
  const [shell = "", option = "", inner] = words ?? [];
  const isWrapped = words?.length === 3 && SHELL.test(shell) && /^-l?c$/.test(option);
  const command = isWrapped ? (inner ?? line) : line;
  // A hook is not told of another folder; without it a guard would look for the files in the wrong place.
  const folder = asName(params.cwd);
  const moved =
    folder === null || folder === cwd ? command : `cd ${quoteWord(folder)} && ${command}`;
  return { callId: asName(params.itemId), tool: "Bash", args: { command: moved } };
}

const SHELL = /(?:^|\/)(?:ba|z|da|k)?sh$/;

/** Words that were quoted one by one and joined, null where a shell would do more with the line than split it. */
export function splitQuoted(line: string): readonly string[] | null {
  const words: string[] = [];
  let rest = line;
  let isNew = true;
  while (rest !== "") {
    const [whole = "", space, single, double, plain] = PIECE.exec(rest) ?? [];
    if (whole === "") return null;
    rest = rest.slice(whole.length);
    if (space !== undefined) isNew = true;
    else {
      const text = single ?? double?.replace(/\\([$`"\\])/g, "$1") ?? plain?.replace(/^\\/, "");
      words.push(`${isNew ? "" : (words.pop() ?? "")}${text ?? ""}`);
      isNew = false;
    }
  }
  return words;
}

const PIECE = /^(?:( +)|'([^']*)'|"((?:[^"\\$`]|\\[^\n])*)"|(\\[^\n]|[\p{L}\p{N}_@%+,./:=^!-]+))/u;

/** The changes of a patch that was taken apart, written as a patch again. */
export function readAskedPatch(item: JsonRecord, cwd: string): RequestedCall | null {
  const changes = asList(item.changes).map(asRecord);
  if (changes.length === 0) return null;
  const lines = changes.flatMap((change) => writeChange(change, cwd));
  const command = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  return { callId: asName(item.id), tool: "apply_patch", args: { command } };
}

function writeChange({ path, kind, diff }: JsonRecord, cwd: string): readonly string[] {
  const file = showPath(asText(path) ?? "", cwd);
  const { type, move_path } = asRecord(kind);
  const text = asText(diff) ?? "";
  if (type === "delete") return [`*** Delete File: ${file}`];
  if (type === "add")
    return [
      `*** Add File: ${file}`,
      ...text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `+${line}`),
    ];
  const target = asName(move_path);
  const move = target === null ? [] : [`*** Move to: ${showPath(target, cwd)}`];
  const hunks = target === null ? text : text.replace(/\n\nMoved to: [^\n]*$/, "");
  return [`*** Update File: ${file}`, ...move, ...writeHunks(hunks)];
}

const writeHunks = (diff: string): readonly string[] =>
  diff
    .replace(/\n$/, "")
    .split("\n")
    .filter((line) => !line.startsWith("\\"))
    .map((line) => line.replace(/^@@ -\d[\d,]* \+\d[\d,]* @@/, "@@"));

/** As the model writes it: seen from the folder that it works in. */
function showPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? path : inside;
}

/** The question about an MCP server's tool names neither the call nor, but in a sentence, the tool. */
export function readAskedMcpCall(
  params: JsonRecord,
  open: Iterable<JsonRecord>,
): RequestedCall | null {
  const { codex_approval_kind: kind, tool_params } = asRecord(params._meta);
  const server = asName(params.serverName);
  if (kind !== "mcp_tool_call" || server === null) return null;
  const args = asRecord(tool_params);
  const message = asText(params.message) ?? "";
  for (const item of open) {
    const tool = asName(item.tool);
    const isMeant =
      item.server === server &&
      tool !== null &&
      message.includes(`"${tool}"`) &&
      isSame(item, args);
    if (isMeant) return { callId: asName(item.id), tool: `mcp__${server}__${tool}`, args };
  }
  return null;
}

const isSame = (item: JsonRecord, args: JsonRecord): boolean =>
  JSON.stringify(asRecord(item.arguments)) === JSON.stringify(args);
