// The tool call that flags describe, with the agent's own names.
import { resolve } from "node:path";
import { isRecord } from "../../agents/json-fields.ts";
import { misuse } from "../../command/misuse.ts";
import { findToolOf, ownToolName } from "../../hooks/agents/tool-tables.ts";
import type { ToolArguments } from "../../hooks/envelope.ts";
import type { HooksArguments } from "./hooks-arguments.ts";

export interface ToolCall {
  readonly tool: string;
  readonly args: ToolArguments;
}

export type ToolFlags = Pick<HooksArguments, "tool" | "command" | "path" | "args">;

export function makeToolCall(agent: string, flags: ToolFlags, cwd: string): ToolCall {
  const { command, path, args } = flags;
  if (command !== undefined && path !== undefined)
    throw misuse("hooks", "`--command` and `--path` exclude each other");
  const tool = pickTool(agent, flags);
  return {
    tool,
    args: {
      ...(command === undefined ? {} : lineArgument(agent, tool, command)),
      ...(path === undefined ? {} : pathArgument(agent, tool, resolve(cwd, path))),
      ...(args === undefined ? {} : readObject(args)),
    },
  };
}

/** The shell for a line, for a file whatever the agent writes files with. */
function pickTool(agent: string, { tool, command, path }: ToolFlags): string {
  if (tool !== undefined) return ownToolName(agent, tool) ?? tool;
  if (command !== undefined) return ownToolName(agent, "Bash") ?? "Bash";
  if (path === undefined) throw misuse("hooks", "give `--command`, `--path` or `--tool`");
  return ownToolName(agent, "Write") ?? ownToolName(agent, "Edit") ?? "Write";
}

function lineArgument(agent: string, tool: string, line: string): ToolArguments {
  const key = findToolOf(agent, tool).line;
  if (key === undefined) throw misuse("hooks", `\`${tool}\` of \`${agent}\` takes no shell line`);
  return { [key]: line };
}

function pathArgument(agent: string, tool: string, path: string): ToolArguments {
  const { paths = [], patch } = findToolOf(agent, tool);
  const [key] = paths;
  if (key !== undefined) return { [key]: path };
  if (patch !== undefined)
    return { [patch]: `*** Begin Patch\n*** Update File: ${path}\n*** End Patch` };
  throw misuse("hooks", `\`${tool}\` of \`${agent}\` names no file; say it with \`--args\``);
}

function readObject(text: string): ToolArguments {
  const value = parseJson(text);
  if (!isRecord(value)) throw misuse("hooks", "`--args` must be a JSON object");
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
