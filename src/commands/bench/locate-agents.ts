// Every agent of a suite is looked for once, not before each trial.
import type { AgentAdapter } from "../../agents/adapter.ts";
import { type Availability, checkAvailability } from "../../agents/availability.ts";
import { pickEnvironment } from "../../agents/pick-environment.ts";
import { requireAgent } from "../../agents/roster.ts";
import type { Suite } from "../../bench/suite.ts";
import { configuredPath } from "../agent/configured-path.ts";
import type { BenchPlace } from "./bench-place.ts";

export interface BenchAgent {
  readonly adapter: AgentAdapter;
  readonly here: Availability;
}

export type FindAgent = (name: string) => Promise<BenchAgent>;

export function createAgentFinder({ context, program }: BenchPlace): FindAgent {
  const found = new Map<string, Promise<BenchAgent>>();
  const look = async (name: string): Promise<BenchAgent> => {
    const adapter = requireAgent(name);
    const env = pickEnvironment(adapter, context.env.forChild());
    const path = configuredPath(await program.settings(), name);
    const cwd = context.workingDirectory;
    return { adapter, here: await checkAvailability(adapter, { env, cwd, configuredPath: path }) };
  };
  return (name) => {
    const known = found.get(name) ?? look(name);
    found.set(name, known);
    return known;
  };
}

/** Agents of a suite that cannot run on this machine; a worker elsewhere may have them. */
export async function describeMissing({ agents }: Suite, findAgent: FindAgent): Promise<string[]> {
  const notes = agents.map(async ({ id, agent }) => {
    const { here } = await findAgent(agent);
    return here.available
      ? []
      : [`agent \`${id}\` cannot run here: ${here.problem ?? "not known why"}`];
  });
  return (await Promise.all(notes)).flat();
}
