// What the session's commands know of the agents. It loads every adapter, so it is loaded when it is asked for.
import type { BundledContext } from "../../core/commands/bundled.ts";
import { hasSucceeded } from "../../core/process/command-spec.ts";
import { runProcess } from "../../core/process/run.ts";
import { findAgent, loadAdapters } from "../roster.ts";
import type { AgentAdapter } from "../run/adapter.ts";
import { locateProgram, openAgentSearch, searchFor } from "../run/availability.ts";
import type { AgentCard, CandidateAgent } from "./choice.ts";

/** The card of one agent, from its table of capabilities. */
export function cardOf(adapter: AgentAdapter, version: string | null): AgentCard {
  const can = adapter.capabilities(version);
  const { settings } = can;
  const capabilities = [
    ...(can.hasTools === false ? [] : ["tools"]),
    ...(can.hasImages ? ["images"] : []),
    ...(can.canResume ? ["resume"] : []),
    ...(settings.output_schema ? ["structured-output"] : []),
    ...(can.hasHooks ? ["hooks"] : []),
    ...(can.hasMcp ? ["mcp"] : []),
    ...(settings.system_prompt || settings.append_system_prompt ? ["system-prompt"] : []),
  ];
  return { name: adapter.name, capabilities, models: can.models };
}

/** The agents that are known, installed or not, each with its own rule for models. */
export const listCandidates = async (): Promise<CandidateAgent[]> =>
  (await loadAdapters()).map((adapter) => ({
    ...cardOf(adapter, null),
    findModelProblem: (model) => findModelProblem(adapter, model),
  }));

/** The same rule as a run's. */
function findModelProblem(adapter: AgentAdapter, model: string): string | null {
  const config = { prompt: "…", model };
  const check = adapter.checkConfig(config, { agentVersion: null, isRoot: false, env: {} });
  if (check.kind === "valid") return null;
  return check.problems.find(({ path }) => path === "model")?.message ?? null;
}

const MODELS_LIMIT_MS = 20_000;

/** The models as the agent's own program lists them; null where it cannot, or is not here. */
export async function listModels(
  name: string,
  { context, program }: BundledContext,
): Promise<readonly string[] | null> {
  const adapter = await findAgent(name)?.run();
  const { models, modelsArgs } = adapter?.capabilities(null) ?? { models: null };
  if (adapter === undefined || modelsArgs === undefined) return models;
  const search = searchFor(adapter, await openAgentSearch(context, program));
  const located = await locateProgram(adapter, search);
  if (located.kind === "missing") return null;
  const ending = await runProcess(
    { executable: located.path, args: modelsArgs, env: search.env, cwd: context.workingDirectory },
    { timeoutMs: MODELS_LIMIT_MS, keepBytes: 1024 * 1024, signal: context.signal },
  );
  if (!hasSucceeded(ending)) return null;
  const lines = Buffer.from(ending.stdout).toString("utf8").split("\n");
  const listed = lines.map((line) => line.trim()).filter((line) => /^\S+$/.test(line));
  return listed.length === 0 ? null : listed;
}
