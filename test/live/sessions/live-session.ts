// A session of the built program with real agent CLIs under the scripted model: a home, a host and a workspace of its own.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { programVariable } from "../../../src/agents/run/availability.ts";
import type { Via } from "../../../src/agents/run/conversation.ts";
import { openState } from "../../../src/core/store/state.ts";
import type { Turn } from "../../../src/core/store/turn-row.ts";
import type { RecordedRequest } from "../../../src/sim/recorded-request.ts";
import { makeIsolatedHome } from "../../../src/sim/run-sim.ts";
import { parseScenario } from "../../../src/sim/scenario.ts";
import { startSim } from "../../../src/sim/server.ts";
import { ADJ, type Printed, type Started, start } from "../../program/adj.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";
import type { LabCli } from "../lab.ts";

export interface LiveSession {
  readonly workspace: string;
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string>>;
  adj(...words: string[]): Promise<Printed>;
  /** Sends a prompt and waits for its answer. */
  send(...words: string[]): Promise<Printed>;
  startSend(...words: string[]): Started;
  /** The id of the question that this turn waits for, as soon as there is one. */
  question(sending: Started): Promise<string>;
  /** What the model was asked, without what an agent asks it for itself. */
  requests(): readonly RecordedRequest[];
  /** How the programs of the agents were called, one line each. */
  calls(): string;
  lastTurn(): Turn | undefined;
  /** What the last turn used by the log of its run. */
  outputTokens(): Promise<number | null>;
  /** The files of the state folder that hold this text. */
  findInState(text: string): readonly string[];
  /** Everything there is to say when an assertion fails. */
  account(printed: Printed): string;
}

interface LiveSessionPlan {
  /** The first one is the session's own. */
  readonly clis: readonly [LabCli, ...LabCli[]];
  readonly via: Via;
  readonly scenario: string;
  readonly env?: Readonly<Record<string, string>>;
}

const QUESTION_BOUND_MS = 60_000;

/** All of it is gone when the test is over. */
export async function openLiveSession(plan: LiveSessionPlan): Promise<LiveSession> {
  const sim = await startSim(parseScenario(plan.scenario, "scenario"));
  const [first] = plan.clis;
  const isolated = await makeIsolatedHome({
    agent: plan.clis.length === 1 ? first.agent : null,
    url: sim.url,
    source: neutralSource(),
  });
  const folder = temporaryFolder("adjutant-session-");
  const workspace = join(folder, "project");
  const stateDir = join(folder, "state");
  const calls = join(folder, "calls");
  mkdirSync(workspace);
  writeFileSync(calls, "");
  const env = {
    ...isolated.env,
    ...plan.env,
    ...wrapPrograms(plan.clis, folder, calls),
    ADJ_STATE_DIR: stateDir,
    ADJ_CONFIG_DIR: join(folder, "config"),
    ADJ_HOST_IDLE: "60s",
  };
  const store = openState(stateDir);
  const startAdj = (...words: string[]) => start(ADJ, words, { cwd: workspace, env });
  onTestFinished(async () => {
    store.close();
    await startAdj("serve", "stop").ended;
    await sim.close();
    await isolated.remove();
  });
  const startSend = (...words: string[]) => startAdj("send", "--via", plan.via, ...words);
  const requests = () => sim.requests().filter(({ kind }) => kind === "turn");
  const session: LiveSession = {
    workspace,
    stateDir,
    env,
    adj: (...words) => startAdj(...words).ended,
    startSend,
    send: (...words) => startSend(...words).ended,
    question: async ({ ended }) => {
      let problem: string | null = null;
      void ended.then((printed) => {
        problem = session.account(printed);
      });
      const list = () => store.questions.listOpen();
      await waitUntil(() => list().length > 0 || problem !== null, QUESTION_BOUND_MS);
      if (problem !== null) throw new Error(`it ended without a question: ${problem}`);
      return list()[0]?.id ?? "";
    },
    requests,
    calls: () => readFileSync(calls, "utf8"),
    lastTurn: () => store.turns.list(`project:${workspace}`, 1)[0],
    outputTokens: async () => {
      const log = await session.adj("agent", "log", session.lastTurn()?.runId ?? "", "--json");
      return JSON.parse(log.stdout).usage.output_tokens;
    },
    findInState: (text) =>
      readdirSync(stateDir, { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((file) => readIfThere(file).includes(text)),
    account: (printed) =>
      JSON.stringify(
        {
          ...printed,
          answered: requests().map(({ answered }) => answered),
          lastRequest: requests().at(-1)?.request?.messages.slice(-4),
        },
        null,
        1,
      ),
  };
  const { exitCode, stderr } = await session.adj("provider", first.agent);
  if (exitCode !== 0) throw new Error(stderr);
  return session;
}

/** A host that leaves takes its own files away meanwhile. */
function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return Buffer.alloc(0);
    throw error;
  }
}

/** With `CI` the host would live inside each client, and end with it. */
function neutralSource(): Record<string, string | undefined> {
  const isOwn = ([name]: [string, unknown]) => name !== "CI" && !name.startsWith("ADJ_");
  // The scripts among the CLIs start with `env node`, which must be a new one.
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  return { ...Object.fromEntries(Object.entries(process.env).filter(isOwn)), PATH: path };
}

/** Variables that name, for each CLI, a script which notes its words and becomes it. */
function wrapPrograms(clis: readonly LabCli[], folder: string, calls: string) {
  const variables: Record<string, string> = {};
  for (const { agent, program } of clis) {
    const script = join(folder, `run-${agent}`);
    const text = `#!/bin/sh\nprintf '%s\\n' "${agent} $*" >>'${calls}'\nexec '${program}' "$@"\n`;
    writeFileSync(script, text);
    chmodSync(script, 0o755);
    variables[programVariable(agent)] = script;
  }
  return variables;
}
