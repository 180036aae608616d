// The agent CLIs that can be pointed at the scripted model; how that is done for each is a facet of the agent.
import type { IncomingHttpHeaders } from "node:http";
import { basename } from "node:path";
import type { Agent, SimEnvironment } from "../agents/agent.ts";
import { AGENTS_BY_SEARCH } from "../agents/roster.ts";

type PointedAgent = Agent & Required<Pick<Agent, "sim">>;

const POINTED: readonly PointedAgent[] = AGENTS_BY_SEARCH.filter(
  (agent): agent is PointedAgent => agent.sim !== undefined,
);

export const SIM_AGENTS: readonly string[] = POINTED.map(({ name }) => name);

/** The agent that a program is, by its file's name: an alias stands for its agent. */
export function findAgentOfProgram(program: string): string | null {
  const called = basename(program).replace(/\.(exe|cmd|js|mjs|cjs)$/, "");
  const found = POINTED.find(({ name, aliases }) => name === called || aliases.includes(called));
  return found?.name ?? null;
}

type IdentifyAgent = (headers: IncomingHttpHeaders) => string | null;

/** Tells which CLI is asking, as far as it says so. */
export async function loadIdentification(): Promise<IdentifyAgent> {
  const senders = await Promise.all(
    POINTED.map(async ({ name, sim }) => ({ name, setup: await sim() })),
  );
  return (headers) => senders.find(({ setup }) => setup.isSender(headers))?.name ?? null;
}

const KEY = "sk-sim-0000";
const MODEL = "sim-model";
const RETRIES = 2;

/** For an unknown program everything at once: it may start any of them, or speak a protocol itself. */
export async function describeAgentEnvironment(
  agent: string | null,
  url: string,
): Promise<SimEnvironment> {
  const pointed = POINTED.filter(({ name }) => agent === null || name === agent);
  const setups = await Promise.all(pointed.map(({ sim }) => sim()));
  const server = { url, key: KEY, model: MODEL, retries: RETRIES };
  const all = setups.map((setup) => setup.describeEnvironment(server));
  return {
    env: Object.assign({}, ...all.map(({ env }) => env)),
    files: Object.assign({}, ...all.map(({ files }) => files)),
  };
}
