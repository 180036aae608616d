// A conversation with a real CLI against the scripted model, prompt by prompt.
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type {
  Conversation,
  ConversationContext,
  ConversationProtocol,
} from "../../../src/agents/run/conversation.ts";
import { findMembersInProc } from "../../../src/core/process/process-tree.ts";
import type { RecordedRequest } from "../../../src/sim/recorded-request.ts";
import { makeIsolatedHome } from "../../../src/sim/run-sim.ts";
import { parseScenario } from "../../../src/sim/scenario.ts";
import { startSim } from "../../../src/sim/server.ts";
import {
  type SaidTurn,
  sendTurn as sendOneTurn,
  type TurnChanges,
} from "../../agents/run/send-turn.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { LabCli } from "../lab.ts";

export interface Turns {
  readonly workspace: string;
  /** What the model was asked, without what an agent asks it for itself. */
  requests(): readonly RecordedRequest[];
  open(resume?: string | null): Promise<Conversation>;
  /** Processes of the conversations that are still alive. */
  left(): readonly number[];
}

interface TurnsPlan {
  readonly cli: LabCli;
  readonly way: ConversationProtocol;
  readonly scenario: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Further variables. */
  readonly changeEnv?: (env: Readonly<Record<string, string>>) => Record<string, string>;
}

/** All of it is gone when the test is over. */
export async function prepareTurns(plan: TurnsPlan): Promise<Turns> {
  const { cli, way, settings = {} } = plan;
  const sim = await startSim(parseScenario(plan.scenario, "scenario"));
  // The scripts among the CLIs start with `env node`, which must be a new one.
  const source = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const home = await makeIsolatedHome({ agent: cli.agent, url: sim.url, source });
  const [workspace, logs] = [temporaryFolder(), temporaryFolder()];
  const opened: Conversation[] = [];
  const runId = randomUUID();
  onTestFinished(async () => {
    for (const conversation of opened) await conversation.close();
    await sim.close();
    await home.remove();
  });
  const context: ConversationContext = {
    settings,
    resume: null,
    stepHook: null,
    workspaceDir: workspace,
    env: { ...home.env, ...plan.changeEnv?.(home.env) },
    runId,
    logDir: join(logs, "log"),
    program: cli.program,
  };
  return {
    workspace,
    requests: () => sim.requests().filter(({ kind }) => kind === "turn"),
    open: async (resume = null) => {
      const logDir = join(logs, `log-${opened.length}`);
      const answer = await way.open({ ...context, resume, logDir });
      if (answer.kind === "refused") throw new Error(JSON.stringify(answer.errors));
      opened.push(answer.conversation);
      return answer.conversation;
    },
    left: () => {
      const tree = { pid: 0, runId, ownsGroup: false, since: 0 };
      return findMembersInProc(tree).members.map(({ pid }) => pid);
    },
  };
}

/** With all that the agent said, and everything there is to say when an assertion fails. */
export async function sendTurn(
  conversation: Conversation,
  prompt: string,
  changes: TurnChanges = {},
) {
  const turn = await sendOneTurn(conversation, prompt, changes);
  const { ending, events, said } = turn;
  return { ...turn, said: said.join("\n"), account: JSON.stringify({ ending, events }) };
}

export const kindsIn = ({ events }: Pick<SaidTurn, "events">): string[] =>
  events.map(({ kind }) => kind);
