// `adj hooks test`: one step through the very answerer that agents get. Handlers and virtual commands really run;
// only nothing is put on record as a step of an agent.
import { rmSync } from "node:fs";
import type { CommandContext } from "../../command/context.ts";
import { misuse } from "../../command/misuse.ts";
import type { CommandResult } from "../../command/result.ts";
import type { NewEvent } from "../../dispatch/event.ts";
import type { HookAgent } from "../../hooks/agents/hook-agent.ts";
import { createHookAnswerer } from "../../hooks/answer-hook.ts";
import type { HookReply } from "../../hooks/hook-call.ts";
import { sessionFolder } from "../../hooks/session-folder.ts";
import { monotonicMs } from "../../monotonic-ms.ts";
import { selectHookVariables } from "../../resident/hook-variables.ts";
import type { Program } from "../program.ts";
import type { HooksArguments } from "./hooks-arguments.ts";
import { reportTest } from "./report-test.ts";
import { buildPayload, pickAgent, readPayload } from "./step-wish.ts";

export async function testStep(
  args: HooksArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  if (args.step?.endsWith("_command"))
    throw misuse("hooks", `\`${args.step}\` is no agent's step; run a command to try its hooks`);
  const agent = pickAgent(args);
  const payload =
    args.payload === undefined
      ? JSON.stringify(buildPayload(agent, args, context))
      : await readPayload(args, context);
  return reportTest(await tryStep(agent, payload, { context, program }), agent);
}

export interface TriedStep {
  readonly payload: string;
  readonly reply: HookReply;
  /** What would have been recorded. */
  readonly events: readonly NewEvent[];
  /** Of the hooks that were asked. */
  readonly warnings: readonly string[];
  readonly ms: number;
}

interface Place {
  readonly context: CommandContext;
  readonly program: Program;
}

async function tryStep(
  agent: HookAgent,
  payload: string,
  { context, program }: Place,
): Promise<TriedStep> {
  const events: NewEvent[] = [];
  const warnings: string[] = [];
  const parts = await program.hookParts();
  const answer = createHookAnswerer({
    ...parts,
    loadRules: async (of) => {
      const set = await parts.loadRules(of);
      warnings.push(...set.warnings);
      return set;
    },
    record: (_, list) => void events.push(...list),
  });
  const startedAt = monotonicMs();
  const reply = await answer({
    agent: agent.name,
    payload,
    env: callEnvironment(context, program),
    cwd: context.workingDirectory,
    signal: context.signal,
  });
  const ms = monotonicMs() - startedAt;
  reply.record();
  await reply.background;
  forgetSession(reply, program);
  return { payload, reply, events, warnings, ms };
}

/** What an agent's call would carry, from here; the file by which an agent takes variables over stays out of it. */
function callEnvironment(context: CommandContext, program: Program): Record<string, string> {
  const { CLAUDE_ENV_FILE: _, ...env } = selectHookVariables(context.env.forChild());
  return {
    ...env,
    ADJ_STATE_DIR: program.stateDir,
    ADJ_CONFIG_DIR: program.configDir,
    ADJ_CORRELATION_ID: context.correlationId,
  };
}

function forgetSession({ envelope }: HookReply, { stateDir }: Program): void {
  if (envelope === null) return;
  const { agent, session_id: sessionId } = envelope;
  rmSync(sessionFolder({ stateDir, agent, sessionId }), { recursive: true, force: true });
}
