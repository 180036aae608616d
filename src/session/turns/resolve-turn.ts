// What a turn is made with when it starts: the agent, its model and settings, where its program is, and what of the
// project it may not take. One order: flag, environment, session, settings.
import { choose, chooseAgentName } from "../../agents/choice/choice.ts";
import { requireFirstAgent } from "../../agents/choice/first-agent.ts";
import { listParams, paramValues, resolveParams } from "../../agents/choice/params.ts";
import { guardProject } from "../../agents/commands/project-guard.ts";
import { agentNameOf, requireAdapter } from "../../agents/roster.ts";
import type { AgentAdapter, AgentExecutionContext } from "../../agents/run/adapter.ts";
import { type AgentSearch, locateAgent } from "../../agents/run/availability.ts";
import { pickEnvironment } from "../../agents/run/login.ts";
import type { SessionState } from "../../core/command/context.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { TurnOptions } from "../../core/store/turn-row.ts";
import { requireSettingsAt } from "../approvals/rules.ts";

export interface ResolvedTurn {
  readonly adapter: AgentAdapter;
  readonly model: string | null;
  /** The user's own fields for the agent, the model left out. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Values of variables among them. */
  readonly secrets: readonly string[];
  /** What the agent is started with. */
  readonly env: Record<string, string>;
  readonly located: Pick<AgentExecutionContext, "program" | "agentVersion" | "withoutProject">;
}

interface TurnSources {
  readonly options: TurnOptions;
  readonly state: SessionState;
  readonly env: Readonly<Record<string, string>>;
  readonly program: Program;
  /** A line for the person. */
  readonly tell: (text: string) => void;
}

/** Throws a fault where the agent is unknown, not here, or must not start. */
export async function resolveTurn(sources: TurnSources): Promise<ResolvedTurn> {
  const { options, state, env, program, tell } = sources;
  const defaults = { ...(await requireSettingsAt(program, options)) };
  const search: AgentSearch = { env, cwd: options.cwd, settings: defaults };
  const usual = chooseAgentName({
    environment: env.ADJ_AGENT,
    session: state.agent,
    settings: defaults.agent,
  }).value;
  const agent = options.agent === null ? usual : agentNameOf(options.agent);
  const adapter = agent === null ? await requireFirstAgent(search) : await requireAdapter(agent);
  const located = await locateAgent(adapter, search);
  const own = pickEnvironment(adapter, env);
  const guarded = {
    agent: adapter.name,
    workspaceDir: options.cwd,
    env: own,
    allowHooksOff: false,
    projectSettings: false,
  };
  const write = async (chunk: string | Uint8Array) => {
    tell(
      Buffer.from(chunk)
        .toString()
        .replace(/^adj: /, "")
        .trim(),
    );
  };
  const leftOut = await guardProject(guarded, { context: { write }, program });
  const models = { environment: env.ADJ_MODEL, session: state.model, settings: defaults.model };
  const layers = { flags: options.params, session: state.params, settings: defaults.params };
  const params = paramValues(listParams(layers));
  const resolved = resolveParams(adapter, located.agentVersion, params, env);
  for (const { problem } of resolved.leftOut) tell(`left out: ${problem}`);
  return {
    adapter,
    // A model was chosen for an agent: another one does not get it.
    model: options.model ?? (agent === usual ? choose(models).value : null),
    settings: resolved.settings,
    secrets: resolved.secrets,
    env: own,
    located: { ...located, ...leftOut },
  };
}
