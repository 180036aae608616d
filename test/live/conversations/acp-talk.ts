// A conversation with a real CLI over the Agent Client Protocol, as the product holds it, under a scripted model.
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { findAgent } from "../../../src/agents/roster.ts";
import type { Conversation, StepHook } from "../../../src/agents/run/conversation.ts";
import { findMembersInProc } from "../../../src/core/process/process-tree.ts";
import type { RecordedRequest } from "../../../src/sim/recorded-request.ts";
import { makeIsolatedHome } from "../../../src/sim/run-sim.ts";
import { parseScenario } from "../../../src/sim/scenario.ts";
import { startSim } from "../../../src/sim/server.ts";
import { type SaidTurn, sendTurn, type TurnChanges } from "../../agents/run/send-turn.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { LabCli } from "../lab.ts";

export interface TalkOptions {
  readonly cli: LabCli;
  /** The agent of ours that speaks with it; the CLI's own by default. */
  readonly agent?: string;
  readonly scenario: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly stepHook?: StepHook;
  /** Beside those of the isolated home. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Talk {
  readonly workspace: string;
  readonly conversation: Conversation;
  readonly logDir: string;
  send(prompt: string, changes?: TurnChanges): Promise<SaidTurn>;
  /** The requests for turns so far. */
  requests(): readonly RecordedRequest[];
  /** Processes of the conversation that are alive. */
  members(): readonly number[];
  /** Closes it and opens another one that goes on with this id. */
  reopen(id: string): Promise<Talk>;
}

/** Holds a conversation, and takes away whatever came of it. */
export async function withTalk(
  options: TalkOptions,
  use: (talk: Talk) => Promise<void>,
): Promise<void> {
  const { cli } = options;
  const sim = await startSim(parseScenario(options.scenario, "scenario"));
  // The scripts among the CLIs start with `env node`, which must be a new one.
  const source = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const home = await makeIsolatedHome({ agent: cli.agent, url: sim.url, source });
  const opened: Conversation[] = [];
  const requests = () => sim.requests().filter(({ kind }) => kind === "turn");
  const workspace = temporaryFolder();
  const open = async (resume: string | null): Promise<Talk> => {
    const runId = randomUUID();
    const logDir = join(temporaryFolder(), "log");
    const agent = options.agent ?? cli.agent;
    const conversation = await openConversation(agent, {
      workspaceDir: workspace,
      env: { ...home.env, ...options.env },
      ...{ runId, logDir, resume },
      stepHook: options.stepHook ?? null,
      settings: options.settings ?? {},
      ...(agent === cli.agent ? { program: cli.program } : {}),
    });
    opened.push(conversation);
    return {
      ...{ workspace, conversation, logDir, requests },
      send: (prompt, changes) => sendTurn(conversation, prompt, changes),
      members: () =>
        findMembersInProc({ pid: 0, runId, ownsGroup: false, since: 0 }).members.map(
          ({ pid }) => pid,
        ),
      reopen: async (id) => {
        await conversation.close();
        return open(id);
      },
    };
  };
  try {
    await use(await open(null));
  } finally {
    for (const conversation of opened) await conversation.close();
    await sim.close();
    await home.remove();
  }
}

type Way = NonNullable<NonNullable<ReturnType<typeof findAgent>>["conversation"]>;
type Context = Parameters<Awaited<ReturnType<Way>>["open"]>[0];

async function openConversation(agent: string, context: Context): Promise<Conversation> {
  const way = await findAgent(agent)?.conversation?.();
  const opened = await way?.open(context);
  if (opened?.kind !== "open") throw new Error(JSON.stringify(opened));
  return opened.conversation;
}
