// A project with guards, and what they decide on a tool call: the rules of a hooks file, the real pipeline, an agent's codec.
import { join } from "node:path";
import { findHookAgent } from "../../../src/agents/roster.ts";
import { monotonicMs } from "../../../src/core/command/time.ts";
import type { ToolArguments } from "../../../src/core/step/envelope.ts";
import { runHookHandler } from "../../../src/hooks/handlers/run.ts";
import { decideStep } from "../../../src/hooks/pipeline/decide-step.ts";
import { parseHooksFile } from "../../../src/hooks/pipeline/file.ts";

export interface Guarded {
  readonly root: string;
  readonly home: string;
  readonly stateDir: string;
  /** The text of the hooks file. */
  readonly hooks: string;
  /** The same of the project. */
  readonly projectHooks?: string;
  readonly agent?: string;
  readonly session?: string;
}

export interface Guarding {
  readonly answer: "pass" | "ask" | "deny" | "rewrite";
  readonly by: string;
  readonly reason: string;
  readonly args: ToolArguments | null;
}

export interface Call {
  readonly tool: string;
  /** A tool may take one text as it is. */
  readonly args: ToolArguments | string;
  readonly event?: string;
}

/** Decides as the agent's hook would; the answer is what that agent is really told. */
export async function openGuards({ root, home, stateDir, hooks, ...options }: Guarded) {
  const { agent: name = "claude-code", session = "s1" } = options;
  const agent = await findHookAgent(name);
  if (agent === null) throw new Error(`no agent ${name}`);
  const place = { file: join(home, "hooks.yaml"), folder: home, workingFolder: home };
  const layer = join(root, ".adjutant");
  const project = { file: join(layer, "hooks.yaml"), folder: layer, workingFolder: layer };
  const rules = [
    ...parseHooksFile(hooks, { ...place, layer: "user" }).rules,
    ...parseHooksFile(options.projectHooks ?? "", { ...project, layer: "project" }).rules,
  ];
  const env = { PATH: `${home}/bin:${process.env.PATH}`, HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const usual = agent.abilities.steps.before_tool?.event;
  return async ({ tool, args, event = usual }: Call): Promise<Guarding> => {
    const payload = {
      ...{ session_id: session, cwd: root },
      // Each agent has fields of its own for the same.
      ...(name === "copilot" ? { toolName: tool, toolArgs: args } : { hook_event_name: event }),
      ...(name === "opencode" ? { event, tool, args } : { tool_name: tool, tool_input: args }),
    };
    const time = "2026-01-01T00:00:00.000Z";
    const envelope = agent.readStep(payload, { env, cwd: root, correlationId: "c1", time });
    if (envelope === null) throw new Error(`no step ${event}`);
    const decision = await decideStep(
      {
        ...{ agent, envelope, root, home, env, startedAt: monotonicMs() },
        session: { stateDir, agent: name, sessionId: session },
        signal: new AbortController().signal,
        runRule: runHookHandler,
        onAsync: () => {},
      },
      { rules, warnings: [], broken: [] },
    );
    const told = agent.writeAnswer(decision, envelope).stdout;
    const rest = {
      by: decision.decidedBy ?? "",
      reason: decision.reason ?? "",
      args: decision.args,
    };
    if (/"(permissionDecision|permission|decision)":\s*"(deny|block)"|"block":/.test(told))
      return { answer: "deny", ...rest };
    if (decision.permission === "ask") return { answer: "ask", ...rest };
    return { answer: decision.args === null ? "pass" : "rewrite", ...rest };
  };
}

export const bash = (command: string): Call => ({ tool: "Bash", args: { command } });
