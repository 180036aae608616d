// Whether params that are about to be set have a place in the runs they are for.
import type { ParamDecision, Params } from "../agents/choice/param-words.ts";
import { normalizeParamPath, refuseParam } from "../agents/choice/param-words.ts";
import {
  findParamProblem,
  isWidening,
  listParamSettings,
  listParams,
  OWN_COMMANDS,
  paramValues,
  resolveParams,
} from "../agents/choice/params.ts";
import { describeSettings } from "../agents/choice/run-params.ts";
import { findAgent, loadAdapters } from "../agents/roster.ts";
import type { AgentAdapter } from "../agents/run/adapter.ts";
import type { Program } from "../core/commands/bundled.ts";
import type { ParamChange } from "./param-change.ts";

/** The first path of a change that lets an agent do more, or may: taking one back can do so too. */
export function findWidening({ set, unset, reset }: ParamChange, before: Params): string | null {
  const touched = [...Object.keys(set), ...unset, ...(reset ? Object.keys(before) : [])];
  return touched.find(isWidening) ?? null;
}

/** Each path needs a place in the agent in force, or in any agent where none is chosen. */
export async function findUnfitParam(
  params: Params,
  agent: string | null,
): Promise<ParamDecision<null>> {
  const chosen = agent === null ? null : (findAgent(agent)?.run() ?? null);
  const adapters = chosen === null ? await loadAdapters() : [await chosen];
  const settingNames = [
    ...new Set(adapters.flatMap((adapter) => listParamSettings(adapter, null))),
  ];
  const name = chosen === null ? null : agent;
  for (const path of Object.keys(params)) {
    const hint = OWN_COMMANDS.get(path);
    if (hint !== undefined) return refuseParam(`\`${path}\` is no param`, hint);
    const problem = findParamProblem(path, settingNames, name);
    // What has a command of its own is no way out.
    const others = settingNames.filter((setting) => !OWN_COMMANDS.has(setting));
    if (problem !== null) return refuseParam(problem, describeSettings(others));
  }
  return findWrongValue(params, adapters);
}

/** What of the params in force the agent has no place for; they stay, for the day it is another one again. */
export async function describeLeftOut(
  agent: string,
  params: Params,
  program: Program,
): Promise<string[]> {
  const adapter = await findAgent(agent)?.run();
  if (adapter === undefined) return [];
  const { params: settings } = await program.settings();
  const inForce = paramValues(listParams({ session: params, settings }));
  const { leftOut } = resolveParams(adapter, null, inForce);
  return leftOut.map(({ path, problem }) => `param \`${path}\` is left out: ${problem}`);
}

/** What counts in runs of the agent and not in its turns, which is good to know when it is set. */
export async function describeTurnLimits(agent: string, params: Params): Promise<string[]> {
  const way = await findAgent(agent)?.conversation?.();
  const isGiven = (setting: string) =>
    Object.keys(params).some((path) => normalizeParamPath(path).split(".", 1)[0] === setting);
  const { leavesOut = [], refuses = [] } = way ?? {};
  return [
    ...leavesOut
      .filter(isGiven)
      .map(
        (setting) => `\`${setting}\` counts in runs of ${agent}, not in turns: \`adj mode\` does`,
      ),
    ...refuses
      .filter(isGiven)
      .map(
        (setting) =>
          `with \`${setting}\` only runs of ${agent} start, no turns: its hooks take its place`,
      ),
  ];
}

/** A value is good where one of the agents that have a place for it takes it. */
function findWrongValue(params: Params, adapters: readonly AgentAdapter[]): ParamDecision<null> {
  for (const [path, value] of Object.entries(params)) {
    const answers = adapters
      .filter((adapter) => findParamProblem(path, listParamSettings(adapter, null), null) === null)
      .map((adapter) => resolveParams(adapter, null, { [path]: value }).leftOut[0]?.problem);
    const [problem] = answers;
    if (problem !== undefined && !answers.includes(undefined))
      return refuseParam(problem, "see what is set with `adj params`");
  }
  return { kind: "accepted", value: null };
}
