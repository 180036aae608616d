import type { AgentAdapter } from "../../agents/adapter.ts";
import { checkAvailability } from "../../agents/availability.ts";
import { pickEnvironment } from "../../agents/pick-environment.ts";
import type { CommandContext } from "../../command/context.ts";
import { fault } from "../../command/fault.ts";
import type { Program } from "../program.ts";
import { configuredPath } from "./configured-path.ts";

export interface LocatedAgent {
  /** Missing for an agent that has no program of its own. */
  readonly program?: string;
  readonly agentVersion: string | null;
}

/** Where an agent's program is, and which version; one that is not there is a fault. */
export async function locateAgent(
  adapter: AgentAdapter,
  context: CommandContext,
  program: Program,
): Promise<LocatedAgent> {
  const env = pickEnvironment(adapter, context.env.forChild());
  const path = configuredPath(await program.settings(), adapter.name);
  const cwd = context.workingDirectory;
  const here = await checkAvailability(adapter, { env, cwd, configuredPath: path });
  if (!here.available)
    throw fault(
      "AgentMissing",
      { agent: adapter.name, problem: here.problem ?? "it was not found" },
      { reportedCode: `${adapter.codePrefix}_CLI_NOT_FOUND` },
    );
  return {
    ...(here.path === undefined ? {} : { program: here.path }),
    agentVersion: here.version ?? null,
  };
}
