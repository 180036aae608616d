// The tools an agent has, by the names it gives them: what they do, and which arguments say so.
import { asList, asName, asText } from "../../agents/json-fields.ts";
import type { ToolKind } from "../../agents/tool-kind.ts";
import type { ToolArguments } from "../envelope.ts";
import type { HookAgent } from "./hook-agent.ts";
import { patchPaths } from "./patch-paths.ts";

export interface ToolEntry {
  readonly kind: ToolKind;
  /** The argument that holds the shell line. */
  readonly line?: string;
  /** The arguments that name files: a text, or a list of texts. */
  readonly paths?: readonly string[];
  /** The argument that holds a patch in the form of `apply_patch`. */
  readonly patch?: string;
  /** The same tool of Claude Code, and its argument names by this agent's. */
  readonly claude?: string;
  readonly claudeArgs?: Readonly<Record<string, string>>;
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

/** What an agent's tool calls say, read by its table. */
export const readCalls = (
  table: ToolTable,
): Pick<HookAgent, "shellLine" | "filePaths" | "withShellLine"> => ({
  shellLine: ({ tool, args }) => {
    const key = findTool(table, tool ?? "").line;
    return key === undefined ? null : asText(args?.[key]);
  },
  filePaths: ({ tool, args = {} }) => {
    const { paths = [], patch } = findTool(table, tool ?? "");
    const named = paths.flatMap((key) => textsOf(args, key));
    return patch === undefined ? named : [...named, ...patchPaths(asText(args[patch]) ?? "")];
  },
  withShellLine: ({ tool, args }, line) => ({
    ...args,
    [findTool(table, tool ?? "").line ?? "command"]: line,
  }),
});

function textsOf(args: ToolArguments, key: string): readonly string[] {
  const values = Array.isArray(args[key]) ? asList(args[key]) : [args[key]];
  return values.map(asName).filter((value) => value !== null);
}
