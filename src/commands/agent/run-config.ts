import type { AgentAdapter } from "../../agents/adapter.ts";
import type { CommandContext } from "../../command/context.ts";
import { fault } from "../../command/fault.ts";
import type { AgentArguments } from "./agent-arguments.ts";

export interface RunPlace {
  readonly adapter: AgentAdapter;
  readonly context: CommandContext;
  readonly chosenModel: string | null;
}

/** The agent's configuration as the words of the command line amount to; the adapter checks it. */
export async function readRunConfig(
  args: AgentArguments,
  place: RunPlace,
): Promise<Record<string, unknown>> {
  const model = args.model ?? place.chosenModel;
  return {
    ...Object.fromEntries(args.set.map(readSetting)),
    ...(model === null ? {} : { model }),
    ...(args.permission === undefined ? {} : { permission_mode: args.permission }),
    ...(args.cassette === undefined ? {} : { cassette: args.cassette }),
    ...(await readPrompt(args, place)),
  };
}

function readSetting(assignment: string): [string, unknown] {
  const [, name, value] = /^([a-z_]+)=([\s\S]*)$/.exec(assignment) ?? [];
  if (name === undefined || value === undefined)
    throw fault("ArgumentsInvalid", {
      command: "agent",
      problem: "`--set` takes `name=value`, such as `max_turns=3`",
    });
  try {
    return [name, JSON.parse(value)];
  } catch {
    // Not JSON, so it is text: `system_prompt=be brief`.
    return [name, value];
  }
}

async function readPrompt(
  { prompt, promptFile }: AgentArguments,
  { adapter, context }: RunPlace,
): Promise<Record<string, unknown>> {
  if (promptFile !== undefined) return { prompt_file: promptFile, ...(prompt && { prompt }) };
  if (prompt !== undefined) return { prompt };
  const piped = context.hasPipedInput ? Buffer.from(await context.readInput()).toString() : "";
  if (piped !== "") return { prompt: piped };
  if (adapter.capabilities(null).prompt === "none") return {};
  throw fault(
    "ArgumentsInvalid",
    { command: "agent", problem: "there is no prompt" },
    { hint: "give `--prompt`, `--prompt-file`, or pipe one in" },
  );
}
