import * as z from "zod/mini";
import {
  CHOICE_VARIABLES,
  describeChoice,
  findChosen,
  requireFit,
  saveDefault,
  withWarnings,
} from "../../agents/choice/choice.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { misuse } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { defineBundled, flagArgument, type Program } from "../../core/commands/bundled.ts";

export default defineBundled({
  name: "model",
  description: "Show or switch the model of this session",
  category: "session",
  effect: "write",
  env: CHOICE_VARIABLES,
  // An agent that lists its models is asked in its own environment.
  inheritEnv: true,
  examples: ["adj model", "adj model opus", "adj model opus --save"],
  args: z.strictObject({
    name: z.optional(
      z.string().check(z.minLength(1), z.meta({ positional: 0, description: "the model to use" })),
    ),
    save: flagArgument("change the saved default instead of this session"),
    reset: flagArgument("go back to the saved default"),
  }),
  run: async ({ name, save, reset }, context, program) => {
    if (save) return saveModel(name, context, program);
    if (reset) return resetModel(name, context, program);
    return name === undefined ? showModel(context, program) : switchModel(name, context, program);
  },
});

async function showModel(context: CommandContext, program: Program): Promise<CommandResult> {
  const { agent, model } = await findChosen(context, program, await context.session.get());
  const models = await listModelsOf(agent.value, context, program);
  const lines = [
    describeChoice(model, "no model is chosen: the agent's own default counts"),
    ...(models === null ? [] : [`${agent.value} has: ${models.join(", ")}`]),
  ];
  return ok(lines.join("\n"), { model: model.value, source: model.source, models });
}

/** The agents are looked at only where one is chosen: loading them costs as much as all the rest. */
async function listModelsOf(agent: string | null, context: CommandContext, program: Program) {
  if (agent === null) return null;
  return (await import("../../agents/choice/cards.ts")).listModels(agent, { context, program });
}

async function switchModel(
  name: string,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const caller = { context, program };
  const state = await context.session.get();
  const { agent, model } = await findChosen(context, program, state);
  const warnings = [
    ...(await requireFit({ agent: agent.value, model: name }, state, caller)),
    ...overruled(model.source, "ADJ_MODEL"),
  ];
  await context.session.update((before) => ({ ...before, model: name }));
  const metadata = { model: name, before: state.model, source: "session", warnings };
  return ok(withWarnings(`model is now ${name}`, warnings), metadata);
}

const overruled = (source: string, variable: string): string[] =>
  source === "environment" ? [`\`${variable}\` is set and counts over the session`] : [];

async function resetModel(
  name: string | undefined,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  if (name !== undefined) throw misuse("model", "`--reset` takes no name");
  const after = await context.session.update((before) => ({ ...before, model: null }));
  const { model } = await findChosen(context, program, after);
  const text = describeChoice(model, "no model is chosen: the agent's own default counts");
  return ok(text, { model: model.value, source: model.source });
}

async function saveModel(
  name: string | undefined,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const caller = { context, program };
  const state = await context.session.get();
  const saved = name ?? state.model;
  if (saved === null) throw misuse("model", "this session has no model of its own to save");
  const { agent } = await findChosen(context, program, state);
  const warnings = [...(await requireFit({ agent: agent.value, model: saved }, state, caller))];
  if (state.model !== null && state.model !== saved)
    warnings.push(`this session keeps \`${state.model}\``);
  const file = await saveDefault(program, "model", saved);
  const metadata = { saved, file, model: state.model, warnings };
  return ok(withWarnings(`saved ${saved} as the default model in ${file}`, warnings), metadata);
}
