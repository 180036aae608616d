import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { LogEvent } from "../../../src/agents/log/event.ts";
import { AGENTS } from "../../../src/agents/roster.ts";
import type { Conversation, StepHook, ToolAnswer } from "../../../src/agents/run/conversation.ts";
import { findMembersInProc } from "../../../src/core/process/process-tree.ts";
import type { RecordedRequest } from "../../../src/sim/recorded-request.ts";
import { makeIsolatedHome } from "../../../src/sim/run-sim.ts";
import { parseScenario } from "../../../src/sim/scenario.ts";
import { startSim } from "../../../src/sim/server.ts";
import { type SaidTurn, sendTurn } from "../../agents/run/send-turn.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type LabCli, pinnedVersion } from "../lab.ts";

interface SayOptions {
  readonly model?: string;
  readonly answer?: ToolAnswer;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: LogEvent) => void;
}

export interface Talk {
  readonly workspace: string;
  readonly runId: string;
  /** Requests of the conversation itself. */
  requests(): readonly RecordedRequest[];
  open(options?: OpenOptions): Promise<Conversation>;
  say(conversation: Conversation, prompt: string, options?: SayOptions): Promise<SaidTurn>;
  /** Processes of the conversation that are alive. */
  left(): readonly number[];
}

interface OpenOptions {
  readonly resume?: string | null;
  readonly stepHook?: StepHook;
}

/** Talks with a real CLI as the product does, against a scenario, in a home and a workspace of its own. */
export async function startTalk(cli: LabCli, scenario: string): Promise<Talk> {
  const sim = await startSim(parseScenario(scenario, "scenario"));
  onTestFinished(() => sim.close());
  // The scripts among the CLIs start with `env node`, which must be a new one.
  const source = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const home = await makeIsolatedHome({ agent: cli.agent, url: sim.url, source });
  onTestFinished(() => home.remove());
  const workspace = temporaryFolder();
  const runId = randomUUID();
  return {
    workspace,
    runId,
    requests: () => sim.requests().filter(({ kind }) => kind === "turn"),
    open: (options = {}) => openConversation(cli, { env: home.env, workspace, runId, ...options }),
    say,
    left: () =>
      findMembersInProc({ pid: 0, runId, ownsGroup: false, since: 0 }).members.map(
        ({ pid }) => pid,
      ),
  };
}

interface OpenRequest extends OpenOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly workspace: string;
  readonly runId: string;
}

async function openConversation(cli: LabCli, options: OpenRequest): Promise<Conversation> {
  const way = await AGENTS.find(({ name }) => name === cli.agent)?.conversation?.();
  const opened = await way?.open({
    workspaceDir: options.workspace,
    env: options.env,
    runId: options.runId,
    logDir: join(temporaryFolder(), "log"),
    program: cli.program,
    agentVersion: pinnedVersion(cli.agent),
    settings: {},
    resume: options.resume ?? null,
    stepHook: options.stepHook ?? null,
  });
  if (opened?.kind !== "open") throw new Error(JSON.stringify(opened));
  onTestFinished(() => opened.conversation.close());
  return opened.conversation;
}

const say = (
  conversation: Conversation,
  prompt: string,
  { answer = { kind: "deny", reason: "nobody allowed it" }, ...changes }: SayOptions = {},
): Promise<SaidTurn> =>
  sendTurn(conversation, prompt, { ...changes, decideTool: async () => answer });
