import {
  readToolCall,
  type ScriptedToolCall,
  type ScriptedTurn,
  type ScriptedUsage,
} from "./scenario.ts";
import {
  type AnswerToolCall,
  type AnswerUsage,
  fillSchema,
  type ModelAnswer,
  type ModelRequest,
  type OfferedTool,
} from "./wire.ts";

// Each figure is unlike the others, so that a log shows which one landed where.
const DEFAULT_USAGE = {
  input_tokens: 1111,
  output_tokens: 222,
  cache_read_tokens: 333,
  cache_write_tokens: 44,
  reasoning_tokens: 55,
};

const NO_USAGE: AnswerUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

interface AnswerSeed {
  /** The number of the request; it makes ids unique and repeatable. */
  readonly number: number;
  readonly request: ModelRequest;
}

interface BuiltAnswer {
  readonly answer: ModelAnswer;
  /** Scripted calls for which the agent offers no tool. */
  readonly missingTools: readonly string[];
}

export function buildAnswer(
  seed: AnswerSeed,
  turn: ScriptedTurn,
  defaults: ScriptedUsage | undefined,
): BuiltAnswer {
  const calls: AnswerToolCall[] = [];
  const missingTools: string[] = [];
  for (const [index, call] of (turn.tool_calls ?? []).entries()) {
    const mapped = mapToolCall(readToolCall(call), seed.request);
    if (mapped === null) missingTools.push(call.tool ?? "exact");
    else calls.push({ id: `call_sim_${seed.number}_${index + 1}`, ...mapped });
  }
  const isEmpty = turn.text === undefined && calls.length === 0;
  const answer = {
    ...identify(seed),
    thinking: turn.thinking ?? null,
    text: isEmpty ? "[sim] the agent offers no tool for this turn" : (turn.text ?? null),
    toolCalls: calls,
    usage: readUsage([turn.usage, defaults]),
  };
  return { answer, missingTools };
}

/** For what agents ask on their own account: titles, memories, classifications. It costs nothing. */
export function buildSideAnswer(seed: AnswerSeed): ModelAnswer {
  const { answerSchema } = seed.request;
  return {
    ...identify(seed),
    thinking: null,
    text: answerSchema === null ? "Scripted session" : JSON.stringify(fillSchema(answerSchema)),
    toolCalls: [],
    usage: NO_USAGE,
  };
}

/** Ends the agent's run; the report tells that the scenario had nothing to say. */
export function buildUnscriptedAnswer(seed: AnswerSeed): ModelAnswer {
  return { ...buildSideAnswer(seed), text: "[sim] the scenario has no turn for this request" };
}

const identify = ({ number, request }: AnswerSeed) => ({
  id: `sim_${number}`,
  model: request.model ?? "sim-model",
});

type Figure = keyof typeof DEFAULT_USAGE;

/** A figure of the turn, else of the scenario, else the default. */
function readUsage(layers: readonly (ScriptedUsage | undefined)[]): AnswerUsage {
  const read = (name: Figure): number =>
    layers.find((layer) => layer?.[name] !== undefined)?.[name] ?? DEFAULT_USAGE[name];
  return {
    input: read("input_tokens"),
    output: read("output_tokens"),
    cacheRead: read("cache_read_tokens"),
    cacheWrite: read("cache_write_tokens"),
    reasoning: read("reasoning_tokens"),
  };
}

// A scripted call says what to do; the agent's own tool list says how it is called there.

interface MappedCall {
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
  const texts = [request.system, ...request.messages.map(({ text }) => text)].join("\n");
  const folder = WORKING_DIRECTORY.exec(texts)?.[1];
  return folder === undefined ? path : `${folder.replace(/[/.,]+$/, "")}/${path}`;
}

/** A file change in the patch language of codex's `apply_patch`. */
function buildPatch(call: ScriptedToolCall): string {
  const lines = (text: string, mark: string) =>
    text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => mark + line);
  const body =
    call.tool === "write"
      ? [`*** Add File: ${call.path}`, ...lines(call.content, "+")]
      : call.tool === "edit"
        ? [`*** Update File: ${call.path}`, "@@", ...lines(call.old, "-"), ...lines(call.new, "+")]
        : [];
  return ["*** Begin Patch", ...body, "*** End Patch", ""].join("\n");
}
