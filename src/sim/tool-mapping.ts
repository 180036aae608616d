// A scripted call says what to do; the agent's own tool list says how it is called there.
import type { ModelRequest, OfferedTool } from "./model-request.ts";
import { buildPatch } from "./patch-text.ts";
import type { ScriptedToolCall } from "./scripted-tool-call.ts";
import { fillSchema } from "./value-schema.ts";

export interface MappedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

type CanonicalCall = Exclude<ScriptedToolCall, { tool: "exact" }>;

/** Names of the same tool over the agents, the better one first. */
const TOOL_NAMES: Readonly<Record<CanonicalCall["tool"], readonly string[]>> = {
  shell: ["Bash", "bash", "run_shell_command", "exec_command", "shell_command", "shell"],
  write: ["Write", "write_file", "write", "create", "apply_patch"],
  edit: ["Edit", "edit", "replace", "str_replace", "apply_patch"],
  read: ["Read", "read_file", "read", "view"],
};

/** Names of the same argument over the agents. */
const ARGUMENT_NAMES: Readonly<Record<string, readonly string[]>> = {
  command: ["command", "cmd"],
  path: ["file_path", "filePath", "path", "absolute_path"],
  content: ["content", "file_text", "contents"],
  old: ["old_string", "oldString", "old_str"],
  new: ["new_string", "newString", "new_str"],
};

/** Null where the agent offers nothing that could do it. */
export function mapToolCall(call: ScriptedToolCall, request: ModelRequest): MappedCall | null {
  if (call.tool === "exact") return { name: call.name, arguments: call.arguments };
  const tool = findTool(TOOL_NAMES[call.tool], request.tools);
  if (tool === null) return mapToShell(call, request);
  if (tool.takesText) return { name: tool.name, arguments: buildPatch(call) };
  return { name: tool.name, arguments: buildArguments(call, tool, request) };
}

function findTool(names: readonly string[], offered: readonly OfferedTool[]): OfferedTool | null {
  for (const name of names) {
    const tool = offered.find((candidate) => candidate.name === name);
    if (tool !== undefined) return tool;
  }
  return null;
}

/** Codex has no tool to read a file: it asks its shell. */
function mapToShell(call: CanonicalCall, request: ModelRequest): MappedCall | null {
  if (call.tool !== "read") return null;
  return mapToolCall(
    { tool: "shell", command: `cat -- '${call.path.replaceAll("'", "'\\''")}'` },
    request,
  );
}

function buildArguments(
  call: CanonicalCall,
  tool: OfferedTool,
  request: ModelRequest,
): Record<string, unknown> {
  const properties = tool.parameters.properties ?? {};
  const built: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(call)) {
    const name = ARGUMENT_NAMES[field]?.find((candidate) => candidate in properties);
    if (name === undefined) continue;
    const isList = properties[name]?.type === "array";
    built[name] = isList
      ? ["bash", "-lc", value]
      : field === "path"
        ? resolvePath(value, request)
        : value;
  }
  for (const name of tool.parameters.required ?? [])
    if (!(name in built)) built[name] = fillSchema(properties[name] ?? {});
  return built;
}

const WORKING_DIRECTORY =
  /(?:working directory|working in the directory|workspace director(?:y|ies)|<cwd>)[^/\n]*\n?[^/\n]*(\/[^\s<`"']*)/i;

/** Some tools want absolute paths; every agent tells its model where it works. */
function resolvePath(path: string, request: ModelRequest): string {
  if (path.startsWith("/")) return path;
  const said = [request.system, ...request.messages.map(({ text }) => text)].join("\n");
  const folder = WORKING_DIRECTORY.exec(said)?.[1];
  return folder === undefined ? path : `${folder.replace(/[/.,]+$/, "")}/${path}`;
}
