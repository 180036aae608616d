import * as z from "zod/mini";
import {
  CHOICE_VARIABLES,
  describeChoice,
  findChosen,
  requireFit,
  saveDefault,
  withWarnings,
} from "../../agents/choice/choice.ts";
import { agentNameOf } from "../../agents/roster.ts";
import type { CommandContext, SessionState } from "../../core/command/context.ts";
import { misuse } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import {
  type BundledContext,
  defineBundled,
  flagArgument,
  type Program,
} from "../../core/commands/bundled.ts";

export default defineBundled({
  name: "provider",
  description: "Show or switch the agent of this session",
  category: "session",
  effect: "write",
  env: CHOICE_VARIABLES,
  // An agent that lists its models is asked in its own environment.
  inheritEnv: true,
  examples: ["adj provider", "adj provider codex --model gpt-5", "adj provider codex --save"],
  args: z.strictObject({
    agent: z.optional(
      z.string().check(z.minLength(1), z.meta({ positional: 0, description: "the agent to use" })),
    ),
    model: z.optional(
      z.string().check(z.minLength(1), z.meta({ description: "switch to this model as well" })),
    ),
    save: flagArgument("change the saved default instead of this session"),
  }),
  run: async ({ agent: named, model, save }, context, program) => {
    const agent = named === undefined ? undefined : agentNameOf(named);
    if (agent === undefined && model !== undefined)
      throw misuse("provider", "`--model` goes with the name of an agent");
    if (save) return saveAgent(agent, { model, context, program });
    if (agent === undefined) return showAgent(context, program);
    return switchAgent(agent, { model, context, program });
  },
});

interface ProviderArguments extends BundledContext {
  readonly model: string | undefined;
}

const NO_AGENT = "no agent is chosen: the first one found on this machine counts";

async function showAgent(context: CommandContext, program: Program): Promise<CommandResult> {
  const { agent } = await findChosen(context, program, await context.session.get());
  const { AGENTS_BY_SEARCH } = await import("../../agents/roster.ts");
  const known = AGENTS_BY_SEARCH.map(({ name }) => name);
  const lines = [describeChoice(agent, NO_AGENT), `known agents: ${known.join(", ")}`];
  return ok(lines.join("\n"), { agent: agent.value, source: agent.source, known });
}

async function switchAgent(agent: string, { model, context, program }: ProviderArguments) {
  const state = await context.session.get();
  const next: SessionState = { ...state, agent, model: model ?? state.model };
  const chosen = await findChosen(context, program, next);
  const caller = { context, program };
  const proposal = { agent, model: chosen.model.value };
  const fit = await requireFit(proposal, next, caller);
  const { describeLeftOut, describeTurnLimits } = await import("../param-fit.ts");
  const warnings = [
    ...fit,
    ...(await describeLeftOut(agent, next.params, program)),
    ...(await describeTurnLimits(agent, next.params)),
  ];
  if (chosen.agent.source === "environment")
    warnings.push("`ADJ_AGENT` is set and counts over the session");
  await context.session.update((before) => ({ ...before, agent, model: model ?? before.model }));
  const metadata = { agent, before: state.agent, model: next.model, source: "session", warnings };
  const text =
    model === undefined ? `agent is now ${agent}` : `agent is now ${agent} with ${model}`;
  return ok(withWarnings(text, warnings), metadata);
}

async function saveAgent(
  agent: string | undefined,
  { model, context, program }: ProviderArguments,
) {
  const state = await context.session.get();
  const caller = { context, program };
  const saved = agent ?? state.agent;
  if (saved === null) throw misuse("provider", "this session has no agent of its own to save");
  const warnings = [...(await requireFit({ agent: saved, model: model ?? null }, state, caller))];
  if (state.agent !== null && state.agent !== saved)
    warnings.push(`this session keeps \`${state.agent}\``);
  const file = await saveDefault(program, "agent", saved);
  if (model !== undefined) await saveDefault(program, "model", model);
  const metadata = { saved, savedModel: model ?? null, file, agent: state.agent, warnings };
  return ok(withWarnings(`saved ${saved} as the default agent in ${file}`, warnings), metadata);
}
