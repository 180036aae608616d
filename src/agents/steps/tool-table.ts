// The tools an agent has, by the names it gives them: what they do, and which arguments say so.
import { quoteWord } from "../../core/command/words.ts";
import { asRecord } from "../../core/project/json-value.ts";
import type {
  Envelope,
  IgnoreManner,
  StepSubject,
  ToolArguments,
  ToolKind,
} from "../../core/step/envelope.ts";
import { asList, asName, asText } from "../log/json-fields.ts";

export interface ToolEntry {
  readonly kind: ToolKind;
  /** The argument that holds the shell line. */
  readonly line?: string;
  /** The arguments that name the folder it runs in. */
  readonly folder?: readonly string[];
  /** The line is typed into a shell that runs already, with names of keys in braces. */
  readonly isTyped?: true;
  /** The arguments that name files: a text, or a list of texts. */
  readonly paths?: readonly string[];
  /** The argument of a search that takes a glob of names, `!` before it for those that are left out. */
  readonly nameGlob?: string;
  /** A search that goes through the folder around a path that is no folder. */
  readonly searchesAround?: true;
  /** A search that leaves out what git ignores; without it nobody knows that it does. */
  readonly skipsIgnored?: SkipsIgnored;
  /** The argument that holds a patch in the form of `apply_patch`. */
  readonly patch?: string;
  /** The tool for handlers with `protocol: claude-code`, and its argument names there by this agent's. */
  readonly protocolName?: string;
  readonly protocolArgs?: Readonly<Record<string, string>>;
}

interface SkipsIgnored extends IgnoreManner {
  /** With any other argument it may open more: a glob that matches a file brings it back, whatever git ignores. */
  readonly args: readonly string[];
}

export interface ToolTable {
  readonly tools: Readonly<Record<string, ToolEntry>>;
  /** Names that are no tool of the agent's own but an MCP server's. */
  readonly mcp: RegExp;
}

const NO_ENTRY: ToolEntry = { kind: "other" };

/** Own keys only: a tool may be named `constructor`. */
export function findTool(table: ToolTable, name: string): ToolEntry {
  const known = Object.hasOwn(table.tools, name) ? table.tools[name] : undefined;
  if (known !== undefined) return known;
  return table.mcp.test(name) ? { kind: "mcp" } : NO_ENTRY;
}

/** The kinds of an agent's tools, for its log. */
export const kindsOf =
  (table: ToolTable) =>
  (name: string): ToolKind =>
    findTool(table, name).kind;

/** For an agent of whose tools nothing is known. */
export const NO_TOOLS: ToolTable = { tools: {}, mcp: /(?!)/ };

/** The agent's own name of the tool that the protocol, or the agent itself, calls so; null where it has none like it. */
export function ownToolName({ tools }: ToolTable, name: string): string | null {
  const alike = Object.entries(tools).find(([, { protocolName }]) => protocolName === name)?.[0];
  return alike ?? (Object.hasOwn(tools, name) ? name : null);
}

/** What an agent's tool calls say. */
export interface ToolCallReader {
  /** The shell line in the tool's arguments, null where the tool is no shell. */
  shellLine(envelope: Envelope): string | null;
  /** The folder that the call itself has the line run in, null where that is the session's. */
  lineFolder(envelope: Envelope): string | null;
  /** The files the tool call names, as written. */
  filePaths(envelope: Envelope): readonly string[];
  /** What a search leaves out, and how it can be told to. */
  searchManner(
    envelope: Envelope,
  ): Pick<StepSubject, "nameGlob" | "searchesAround" | "skipsIgnored">;
  /** The arguments with another shell line, all other fields kept. */
  withShellLine(envelope: Envelope, line: string): Readonly<Record<string, unknown>>;
}

export const readCalls = (table: ToolTable): ToolCallReader => ({
  shellLine: ({ tool, args = {} }) => {
    const { line, isTyped } = findTool(table, tool ?? "");
    if (line === undefined) return null;
    const given = withAction(args);
    const text = asLine(given[line] ?? given.command ?? given.cmd) ?? lineElsewhere(given, line);
    return isTyped === true ? (text?.replace(/\{(?:enter|return)\}/gi, "\n") ?? null) : text;
  },
  lineFolder: ({ tool, args = {} }) => {
    const { folder = [] } = findTool(table, tool ?? "");
    if (folder.length === 0) return null;
    const given = withAction(args);
    return folder.map((key) => asName(given[key])).find((name) => name !== null) ?? null;
  },
  filePaths: ({ tool, args = {} }) => {
    const { paths = [], patch } = findTool(table, tool ?? "");
    const named = paths.flatMap((key) => textsOf(args, key));
    return patch === undefined ? named : [...named, ...patchPaths(asText(args[patch]) ?? "")];
  },
  searchManner: ({ tool, args = {} }) => {
    const { nameGlob, searchesAround, skipsIgnored } = findTool(table, tool ?? "");
    return {
      ...(nameGlob === undefined ? {} : { nameGlob }),
      ...(searchesAround === undefined ? {} : { searchesAround }),
      ...(skipsIgnored !== undefined && doesSkip(skipsIgnored, args) ? { skipsIgnored } : {}),
    };
  },
  withShellLine: ({ tool, args }, line) => ({
    ...args,
    [findTool(table, tool ?? "").line ?? "command"]: line,
  }),
});

function doesSkip({ args: known, byGit }: SkipsIgnored, args: ToolArguments): boolean {
  const isPlain = byGit !== true || PLAIN_PATTERN.test(asText(args.pattern) ?? "");
  return isPlain && Object.keys(args).every((key) => known.includes(key));
}

/** What git takes for a pattern and for nothing else; where git fails, the search goes on with a program that skips nothing. */
const PLAIN_PATTERN =
  /^(?!-)(?:(?:[\w ,:;=@#%&"'<>/!~.)-]|\\[.()[\]{}*+?|^$/sSwWd-]|\[\^?(?:a-z|A-Z|0-9|[\w ])+\])[*+?]?|\\b|[\^$]|[|(](?=[\w"'<./\\[(^]))+$/;

/** Codex has had its shell's arguments one level down. */
const withAction = (args: ToolArguments): ToolArguments => ({ ...args, ...asRecord(args.action) });

/** An agent's next version may call it by another name: then every text of the call may be the line. */
function lineElsewhere(args: ToolArguments, line: string): string | null {
  const texts = Object.values(args).flatMap((value) => asLine(value) ?? []);
  return Object.hasOwn(args, line) || texts.length === 0 ? null : texts.join("\n");
}

/** A line, or the words of one command. */
function asLine(value: unknown): string | null {
  if (!Array.isArray(value)) return asText(value);
  return asList(value)
    .map((word) => quoteWord(asText(word) ?? JSON.stringify(word)))
    .join(" ");
}

function textsOf(args: ToolArguments, key: string): readonly string[] {
  const values = Array.isArray(args[key]) ? asList(args[key]) : [args[key]];
  return values.map(asName).filter((value) => value !== null);
}

const FILE_LINE = /^[ \t]{0,99}\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

/** The files a patch in the form of `apply_patch` touches, each once, as written. */
export function patchPaths(patch: string): readonly string[] {
  const paths = [...patch.matchAll(FILE_LINE)].map(([, path]) => (path ?? "").trim());
  return [...new Set(paths)];
}

// Names that tools have with many agents, for runs of which nobody knows the agent.

const NAMES: readonly (readonly [ToolKind, readonly string[]])[] = [
  [
    "shell",
    [
      "bash",
      "bashoutput",
      "shell",
      "sh",
      "powershell",
      "local_shell",
      "run_shell_command",
      "command_execution",
      "exec",
      "execute",
      "exec_command",
      "terminal",
      "write_bash",
      "read_bash",
    ],
  ],
  [
    "read",
    [
      ...["read", "read_file", "read_many_files", "view", "view_image", "notebookread"],
      ...["list", "ls", "list_directory"],
    ],
  ],
  ["write", ["write", "write_file", "create", "create_file"]],
  [
    "edit",
    [
      "edit",
      "multiedit",
      "replace",
      "str_replace",
      "str_replace_editor",
      "apply_patch",
      "patch",
      "notebookedit",
      "notebook_edit",
      "file_change",
    ],
  ],
  ["fetch", ["webfetch", "web_fetch", "fetch", "websearch", "web_search", "google_web_search"]],
  ["search", ["grep", "glob", "rg", "grep_search", "search_file_content", "search"]],
  ["agent", ["task", "agent", "spawn_agent", "subagent", "delegate"]],
];

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  NAMES.flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
);

/** What a tool does, by its name alone. */
export function kindOfAnyTool(name: string): ToolKind {
  const known = KINDS.get(name.toLowerCase());
  if (known !== undefined) return known;
  return /^mcp_/i.test(name) ? "mcp" : "other";
}

/** For a tool of an agent that has no table: what such a name, and such names of arguments, mean with most agents. */
export function tableOfAnyTool(name: string): ToolTable {
  const kind = kindOfAnyTool(name);
  const paths = ["file_path", "filePath", "absolute_path", "path"];
  const entry = kind === "shell" ? { kind, line: "command" } : { kind, paths };
  return { tools: { [name]: entry }, mcp: /^mcp_/i };
}
