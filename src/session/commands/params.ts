import * as z from "zod/mini";
import { findChosen, withWarnings } from "../../agents/choice/choice.ts";
import type { ParamDecision } from "../../agents/choice/param-words.ts";
import type { CommandContext, SessionState } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import {
  defineBundled,
  flagArgument,
  type Program,
  textsArgument,
} from "../../core/commands/bundled.ts";
import { secretValues } from "../../core/secrets/mask.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import { applyParamChange, type ParamChange, readParamChange } from "../param-change.ts";

export default defineBundled({
  name: "params",
  description: "Show or change the parameters of this session",
  category: "session",
  effect: "write",
  // What a value must not be is told by the person's own variables, too.
  inheritEnv: true,
  argumentHint: "[path=value …]",
  examples: ["adj params", "adj params max_turns=5 effort=high", "adj params --reset"],
  args: z.strictObject({
    assignments: textsArgument("`path=value`; a secret as `path=env:NAME`", { positional: "rest" }),
    unset: textsArgument("a path to remove, with all below it"),
    reset: flagArgument("remove all that are set here"),
  }),
  run: async (words, context, program) => {
    const change = accept(readParamChange(words, secretValues(context.env.forChild())));
    const isChange = change.reset || Object.keys(change.set).length > 0 || change.unset.length > 0;
    return isChange ? changeParams(change, context, program) : showParams(context, program);
  },
});

/** Nothing is changed unless every path can be. */
async function changeParams(
  change: ParamChange,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  refuseDuringAct(context, program);
  const { params: before, ...state } = await context.session.get();
  const { agent } = await findChosen(context, program, { ...state, params: before });
  const { describeTurnLimits, findUnfitParam, findWidening } = await import("../param-fit.ts");
  const widening = findWidening(change, before);
  if (widening !== null && context.isBelowAgent) throw refuseAgent(widening, context, program);
  accept(await findUnfitParam(change.set, agent.value));
  const after = await context.session.update((state) => ({
    ...state,
    params: accept(applyParamChange(state.params, change)),
  }));
  const changed = listChanges(before, after.params);
  const text = changed.map(({ path, kind }) => `${kind} ${path}`).join("\n");
  const warnings = agent.value === null ? [] : await describeTurnLimits(agent.value, change.set);
  const line = changed.length === 0 ? "nothing changed" : text;
  return ok(withWarnings(line, warnings), { params: after.params, changed, warnings });
}

/** A stage of a workflow owns the turn: nobody changes what it is made with while it acts. */
function refuseDuringAct({ session }: CommandContext, program: Program): void {
  const row = program.sessions().stages.read(session.id);
  if (row?.isActing === true) {
    const { workflow, stage } = row;
    throw fault("StageActive", { command: "params", workflow, stage });
  }
}

function refuseAgent(path: string, context: CommandContext, program: Program) {
  program.publish(context, "AccessDenied", {
    what: `params ${path}`,
    problem: "an agent asked for it",
  });
  const hint = `\`${path}\` says what an agent may do; run it yourself, outside the agent`;
  return fault("Required", { name: "params" }, { hint });
}

type Params = SessionState["params"];

function listChanges(before: Params, after: Params) {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return paths
    .filter((path) => JSON.stringify(before[path]) !== JSON.stringify(after[path]))
    .map((path) => ({ path, kind: Object.hasOwn(after, path) ? "set" : "removed" }));
}

async function showParams(context: CommandContext, program: Program): Promise<CommandResult> {
  const state = await context.session.get();
  const { params } = state;
  const { agent } = await findChosen(context, program, state);
  const { listParams } = await import("../../agents/choice/params.ts");
  const inForce = listParams({ session: params, settings: (await program.settings()).params });
  const rows = inForce.map(({ path, value, source }) => [path, JSON.stringify(value), source]);
  const columns = [{ title: "PATH" }, { title: "VALUE", least: 20 }, { title: "FROM" }];
  const lines = formatTable(columns, rows, screenWidth(context));
  if (rows.length === 0) return ok("no parameters are set", { params, inForce });
  const { describeLeftOut } = await import("../param-fit.ts");
  const leftOut = agent.value === null ? [] : await describeLeftOut(agent.value, params, program);
  return ok(withWarnings(lines.join("\n"), leftOut), { params, inForce, leftOut });
}

function accept<Value>(decision: ParamDecision<Value>): Value {
  if (decision.kind === "accepted") return decision.value;
  const { problem, hint } = decision;
  throw fault("ArgumentsInvalid", { command: "params", problem }, { hint });
}
