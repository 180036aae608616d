// A plan and its prompt → what the agent's executor is asked to run. The builder writes the arguments.
import { pickEnvironment } from "../../agents/pick-environment.ts";
import type { AgentRunRequest } from "../../agents/prepare-run.ts";
import { fault } from "../../command/fault.ts";
import {
  applyPositionalArgs,
  buildCommand,
  buildCommandBase,
  type CommandSpec,
} from "../../markdown/builder.ts";
import type { MarkdownCall } from "./markdown-call.ts";
import type { MarkdownPlan } from "./plan-markdown.ts";

export type MarkdownRequest = Omit<AgentRunRequest, "runId" | "logDir">;

/** One argument of 131,072 bytes fails on Linux. */
const LONGEST_ARGUMENT = 131_071;

export function buildRequest(
  call: MarkdownCall,
  plan: MarkdownPlan,
  prompt: string,
): MarkdownRequest {
  const isPromptInArguments = isPromptArgument(plan);
  refusePrompt(prompt, isPromptInArguments);
  const spec = buildSpec(call, plan, prompt);
  return {
    config: { ...plan.translated.settings, prompt, extra_args: spec.args },
    workspaceDir: spec.cwd,
    timeout: plan.timeout,
    env: environmentOf(call, plan, spec.env),
    ...plan.located,
    isPromptBounded: false,
    areArgumentsChecked: true,
    isPromptInArguments,
  };
}

const isPromptArgument = ({ translated, adapter, located }: MarkdownPlan): boolean =>
  translated.mappings.has(1) || adapter.capabilities(located.agentVersion).prompt === "argument";

function refusePrompt(prompt: string, isArgument: boolean): void {
  const refuse = (problem: string, hint: string) =>
    fault("InputInvalid", { what: "the prompt", problem }, { hint });
  if (prompt.includes("\0"))
    throw refuse(
      "it holds a NUL byte",
      "no agent takes one; look at what was imported or piped in",
    );
  const bytes = Buffer.byteLength(prompt);
  if (isArgument && bytes > LONGEST_ARGUMENT)
    throw refuse(
      `its ${bytes} bytes are more than one argument can hold, ${LONGEST_ARGUMENT}`,
      "without `$1` it goes by stdin, which has no limit",
    );
}

/** Words that the template used up have no position any more; the others keep their flags. */
function buildSpec({ file }: MarkdownCall, plan: MarkdownPlan, prompt: string): CommandSpec {
  const { executable, translated, words, cwd } = plan;
  const { frontMatter, config, mappings } = translated;
  const left = words.left.map(({ word }) => word);
  const flags = words.left.map(({ position }) => mappings.get(position));
  const { templateVars } = file;
  if (isPromptArgument(plan)) {
    const others = Object.entries(frontMatter).filter(([key]) => !/^\$0*([2-9]|1\d)/.test(key));
    const moved = flags.map((flag, at) => [`$${at + 2}`, flag ?? null]);
    const plain = Object.fromEntries([...others, ...moved]);
    return buildCommand(executable, plain, prompt, left, templateVars, config, cwd);
  }
  const base = buildCommandBase(executable, frontMatter, templateVars, config, cwd);
  const moved = flags.flatMap((flag, at): [number, string][] =>
    flag === undefined ? [] : [[at + 1, flag]],
  );
  return { ...base, args: applyPositionalArgs(base.args, left, new Map(moved)) };
}

function environmentOf(
  { file, context }: MarkdownCall,
  { adapter, translated }: MarkdownPlan,
  set: Readonly<Record<string, string>>,
): Record<string, string> {
  const all = context.env.forChild();
  const given = file.fields["inherit-env"] === true ? all : pickEnvironment(adapter, all);
  const unset = new Set(translated.unsetEnv);
  const entries = Object.entries({ ...given, ...set }).filter(([name]) => !unset.has(name));
  return Object.fromEntries(entries);
}
