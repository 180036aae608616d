// Whether params that are about to be set have a place in the runs they are for.
import type { ParamDecision, Params } from "../agents/choice/param-words.ts";
import { refuseParam } from "../agents/choice/param-words.ts";
import {
  findPlaceProblem,
  isWidening,
  listPlaces,
  OWN_COMMANDS,
  resolveParams,
} from "../agents/choice/params.ts";
import { describePlaces } from "../agents/choice/run-params.ts";
import { findAgent, loadAdapters } from "../agents/roster.ts";
import type { AgentAdapter } from "../agents/run/adapter.ts";
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
  const places = [...new Set(adapters.flatMap((adapter) => listPlaces(adapter, null)))];
  const name = chosen === null ? null : agent;
  for (const path of Object.keys(params)) {
    const hint = OWN_COMMANDS.get(path);
    if (hint !== undefined) return refuseParam(`\`${path}\` is no param`, hint);
    const problem = findPlaceProblem(path, places, name);
    if (problem !== null) return refuseParam(problem, describePlaces(places));
  }
  return findWrongValue(params, adapters);
}

/** A value is good where one of the agents that have a place for it takes it. */
function findWrongValue(params: Params, adapters: readonly AgentAdapter[]): ParamDecision<null> {
  for (const [path, value] of Object.entries(params)) {
    const answers = adapters
      .filter((adapter) => findPlaceProblem(path, listPlaces(adapter, null), null) === null)
      .map((adapter) => resolveParams(adapter, null, { [path]: value }).leftOut[0]?.problem);
    const [problem] = answers;
    if (problem !== undefined && !answers.includes(undefined))
      return refuseParam(problem, "see what is set with `adj params`");
  }
  return { kind: "accepted", value: null };
}
