// The step that the flags of `adj hooks` describe, as its agent would write it to its hook.

import { resolve } from "node:path";
import { DEFAULT_HOOK_AGENT, requireHookAgent, requireInstaller } from "../../agents/roster.ts";
import type { HookAgent } from "../../agents/steps/hook-agent.ts";
import type { HookInstaller } from "../../agents/steps/installer.ts";
import type { NativeToolCall } from "../../agents/steps/read-step.ts";
import type { SampleStep } from "../../agents/steps/sample-step.ts";
import { findTool, ownToolName } from "../../agents/steps/tool-table.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { fault, misuse } from "../../core/command/fault.ts";
import { quoteNames } from "../../core/command/names.ts";
import { newId } from "../../core/command/new-id.ts";
import { readText } from "../../core/project/files.ts";
import { isRecord, parseJson } from "../../core/project/json-value.ts";
import type { NativePayload, ToolArguments } from "../../core/step/envelope.ts";
import { STEPS, type StepName } from "../../core/step/step.ts";
import type { HooksArguments } from "./hooks-arguments.ts";

export async function pickHookAgent({
  agent = DEFAULT_HOOK_AGENT,
}: Pick<HooksArguments, "agent">): Promise<HookAgent> {
  return requireHookAgent((await requireInstaller(agent)).agent);
}

const OF_TOOLS: ReadonlySet<StepName> = new Set(["before_tool", "after_tool", "before_permission"]);

/** As the agent would write it. */
export async function buildStepPayload(
  agent: HookAgent,
  args: HooksArguments,
  { workingDirectory: cwd }: Pick<CommandContext, "workingDirectory">,
): Promise<NativePayload> {
  const { step = "before_tool", prompt = "hello", output = "" } = args;
  const payload = makePayload(await requireInstaller(agent.name), {
    ...{ step, cwd, prompt, output },
    session: newSession(),
    time: new Date(),
    call: OF_TOOLS.has(step) ? makeToolCall(agent, args, cwd) : null,
  });
  if (payload !== null) return payload;
  const known = STEPS.filter((one) => agent.abilities.steps[one] !== undefined);
  throw fault(
    "InputInvalid",
    { what: `\`${agent.name}\``, problem: `it has no event for \`${step}\`` },
    { hint: `it has ${quoteNames(known)}` },
  );
}

/** Null where the agent has no such event. */
export function makePayload(
  { abilities, writeSample }: Pick<HookInstaller, "abilities" | "writeSample">,
  sample: SampleStep,
): NativePayload | null {
  const event = abilities.steps[sample.step]?.event;
  return event === undefined ? null : writeSample(event, sample);
}

type ToolFlags = Pick<HooksArguments, "tool" | "command" | "path" | "args">;

type ToolUser = Pick<HookAgent, "name" | "tools">;

/** The tool call that flags describe, with the agent's own names. */
export function makeToolCall(agent: ToolUser, flags: ToolFlags, cwd: string): NativeToolCall {
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
function pickTool({ tools }: ToolUser, { tool, command, path }: ToolFlags): string {
  if (tool !== undefined) return ownToolName(tools, tool) ?? tool;
  if (command !== undefined) return ownToolName(tools, "Bash") ?? "Bash";
  if (path === undefined) throw misuse("hooks", "give `--command`, `--path` or `--tool`");
  return ownToolName(tools, "Write") ?? ownToolName(tools, "Edit") ?? "Write";
}

function lineArgument({ name, tools }: ToolUser, tool: string, line: string): ToolArguments {
  const key = findTool(tools, tool).line;
  if (key === undefined) throw misuse("hooks", `\`${tool}\` of \`${name}\` takes no shell line`);
  return { [key]: line };
}

function pathArgument({ name, tools }: ToolUser, tool: string, path: string): ToolArguments {
  const { paths = [], patch } = findTool(tools, tool);
  const [key] = paths;
  if (key !== undefined) return { [key]: path };
  if (patch !== undefined)
    return { [patch]: `*** Begin Patch\n*** Update File: ${path}\n*** End Patch` };
  throw misuse("hooks", `\`${tool}\` of \`${name}\` names no file; say it with \`--args\``);
}

function readObject(text: string): ToolArguments {
  const value = parseJson(text);
  if (!isRecord(value)) throw misuse("hooks", "`--args` must be a JSON object");
  return value;
}

/** Saved text in a session of its own: what a running one remembers is not for a test to change. */
export async function readSavedPayload(
  { payload = "-", step, tool, command, path, args, prompt, output }: HooksArguments,
  context: CommandContext,
): Promise<string> {
  const given = { step, tool, command, path, args, prompt, output };
  const other = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (other !== undefined)
    throw misuse(
      "hooks",
      other === "step"
        ? "a payload names its step itself"
        : `\`--payload\` and \`--${other}\` exclude each other`,
    );
  return renameSession(await readSource(payload, context));
}

async function readSource(file: string, context: CommandContext): Promise<string> {
  if (file === "-") return Buffer.from(await context.readInput()).toString("utf8");
  const text = readText(resolve(context.workingDirectory, file), file);
  if (text !== null) return text;
  throw fault("InputInvalid", { what: `\`${file}\``, problem: "there is no such file" });
}

const newSession = (): string => `adj-hooks-test-${newId()}`;

/** What is no JSON is handed on as it is: an agent's hook has to take that, too. */
function renameSession(text: string): string {
  const payload = parseJson(text);
  if (!isRecord(payload)) return text;
  const names = ["session_id", "sessionId"].filter((key) => Object.hasOwn(payload, key));
  const session = newSession();
  return JSON.stringify({ ...payload, ...Object.fromEntries(names.map((key) => [key, session])) });
}
