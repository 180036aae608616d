// `context.agent`: a run of an agent for a command, with its answer as text, and as data where a schema is given.

import { choose, chooseAgentName } from "../../agents/choice/choice.ts";
import { gatherParams } from "../../agents/choice/run-params.ts";
import { guardProject } from "../../agents/commands/project-guard.ts";
import {
  type CheckedAnswer,
  checkAnswer,
  readAnswerSchema,
  withContract,
} from "../../agents/log/json-answer.ts";
import { makeRunFolder, saveLog } from "../../agents/log/run-files.ts";
import { answerText, type RunLog } from "../../agents/log/run-log.ts";
import { agentNameOf, requireAdapter } from "../../agents/roster.ts";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import { locateAgent, openAgentSearch } from "../../agents/run/availability.ts";
import { concludeAgentRun, performRun } from "../../agents/run/command-run.ts";
import { pickEnvironment } from "../../agents/run/login.ts";
import { DEFAULT_TIMEOUT_MS } from "../../agents/run/run-agent.ts";
import type { AgentAnswer, AgentOptions, JsonValue } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { parseDuration } from "../../core/command/time.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { ActionCall } from "../../core/dispatch/dispatch-context.ts";
import { childEnvironment, depthOf } from "../../core/process/environment.ts";

/** So many agents that Adjutant started may be around each other. */
const MAX_DEPTH = 3;

interface AgentRequest {
  readonly prompt: string;
  readonly options: AgentOptions;
}

export async function runCommandAgent(
  program: Program,
  call: ActionCall,
  { prompt, options }: AgentRequest,
): Promise<AgentAnswer> {
  const check = readCheck(call, options.schema);
  const agent = await prepareAgent(program, call, options);
  if (check === null) {
    const log = await run(agent, prompt);
    return { text: answerText(log), data: null, log: { ...log }, cost: log.cost };
  }
  const asked = withContract(prompt, options.schema ?? {});
  const first = await run(agent, asked);
  const read = check(first);
  if (read.kind === "fits") return answerOf(first, read.data, [first]);
  const again = `${asked}\n\nYou were asked this before and answered:\n${answerText(first)}\nThat does not do: ${read.problem}. Answer again.`;
  const second = await run(agent, again);
  const reread = check(second);
  if (reread.kind === "fits") return answerOf(second, reread.data, [first, second]);
  throw fault("AgentRunFailed", {
    agent: agent.adapter.name,
    problem: `its answer does not fit the schema: ${reread.problem}`,
  });
}

function answerOf(log: RunLog, data: JsonValue, runs: readonly RunLog[]): AgentAnswer {
  return { text: answerText(log), data, log: { ...log }, cost: sumCosts(runs) };
}

/** Unknown as soon as one is. */
function sumCosts(runs: readonly RunLog[]): AgentAnswer["cost"] {
  const costs = runs.map(({ cost }) => cost).filter((cost) => cost !== null);
  if (costs.length < runs.length) return null;
  const isEstimated = costs.some(({ source }) => source === "estimated");
  const usd = costs.reduce((sum, cost) => sum + cost.usd, 0);
  return { usd, source: isEstimated ? "estimated" : "output" };
}

/** Null without a schema. */
function readCheck(
  { command }: ActionCall,
  schema: AgentOptions["schema"],
): ((log: RunLog) => CheckedAnswer) | null {
  if (schema === undefined) return null;
  const reading = readAnswerSchema(schema);
  if (reading.kind === "invalid") {
    const problem = `\`schema\` is no JSON Schema: ${reading.problem}`;
    throw fault("ArgumentsInvalid", { command: command.name, problem });
  }
  return (log) => checkAnswer(log, reading.check);
}

// The agent: chosen, allowed, found.

interface PreparedAgent {
  readonly program: Program;
  readonly call: ActionCall;
  readonly adapter: AgentAdapter;
  readonly request: Omit<Parameters<typeof performRun>[1], "config" | "runId" | "logDir">;
  readonly config: Readonly<Record<string, unknown>>;
  /** Values of variables among its params. */
  readonly secrets: readonly string[];
}

async function prepareAgent(
  program: Program,
  call: ActionCall,
  { agent, model, params = {}, timeout }: AgentOptions,
): Promise<PreparedAgent> {
  const { context, command } = call;
  const chosen = await chooseAgent(program, call);
  const name = agent === undefined ? chosen.agent : agentNameOf(agent);
  const refuse = (problem: string) => fault("ArgumentsInvalid", { command: command.name, problem });
  if (name === null) throw refuse("no agent is named and none is chosen");
  const limit = timeout === undefined ? DEFAULT_TIMEOUT_MS : parseDuration(timeout);
  if (limit === null) throw refuse("`timeout` must be a duration such as `10m`");
  refuseBelow(call, name);
  const adapter = await requireAdapter(name);
  const found = await openAgentSearch(context, program);
  // The agent is the person's and logs in as it does everywhere, whatever of the variables the command may see.
  const search = { ...found, env: { ...wholeOf(call.env), ...found.env } };
  const env = pickEnvironment(adapter, search.env);
  const workspaceDir = context.workingDirectory;
  const guardFlags = { allowHooksOff: false, projectSettings: false };
  const guarded = { agent: name, workspaceDir, env, ...guardFlags };
  const located = await locateAgent(adapter, search);
  const wanted = { adapter, version: located.agentVersion, flags: params, command: command.name };
  const { settings, secrets } = await gatherParams(wanted, { context, program });
  const request = {
    ...(await guardProject(guarded, { context, program })),
    ...located,
    ...{ workspaceDir, env, timeout: limit },
  };
  // A model was chosen for an agent, so another one does not get it.
  const chosenModel = model ?? (name === chosen.agent ? chosen.model : null);
  const config = { ...settings, ...(chosenModel === null ? {} : { model: chosenModel }) };
  return { program, call, adapter, request, config, secrets };
}

const wholeOf = (source: ActionCall["env"]): Record<string, string> =>
  childEnvironment({ source, declared: [], inheritEnv: true });

async function chooseAgent(program: Program, { context, env }: ActionCall) {
  const [session, settings] = [await context.session.get(), await program.settings()];
  const facts = (name: "agent" | "model", environment: string | undefined) => ({
    environment,
    session: session[name],
    settings: settings[name],
  });
  return {
    agent: chooseAgentName(facts("agent", env.ADJ_AGENT)).value,
    model: choose(facts("model", env.ADJ_MODEL)).value,
  };
}

function refuseBelow({ context, command, env }: ActionCall, agent: string): void {
  if (context.isBelowAgent && !command.agents)
    throw fault(
      "AgentNotStarted",
      { agent, problem: `an agent called \`${command.name}\`, which is not for starting another` },
      { hint: "`agents: true` in its definition allows it" },
    );
  if (depthOf(env) >= MAX_DEPTH)
    throw fault("AgentNotStarted", {
      agent,
      problem: `${MAX_DEPTH} agents are around it already, each started by the one before`,
    });
}

/** Its output is the command's to show. Throws where the run failed. */
async function run(
  { program, call: { context }, adapter, request, config, secrets }: PreparedAgent,
  prompt: string,
): Promise<RunLog> {
  const folder = makeRunFolder(program.stateDir);
  let logPath = "";
  const { log } = await performRun(
    adapter,
    { ...request, ...folder, config: { ...config, prompt } },
    {
      signal: context.signal,
      secrets,
      publish: (type, data) => program.publish(context, type, data),
      keepLog: (keptLog) => {
        logPath = saveLog(folder.logDir, keptLog);
      },
    },
  );
  context.signal.throwIfAborted();
  concludeAgentRun(log, logPath);
  return log;
}
