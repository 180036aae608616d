import { type Availability, checkAvailability } from "../../agents/availability.ts";
import { pickEnvironment } from "../../agents/pick-environment.ts";
import { requireAgent } from "../../agents/roster.ts";
import type { CommandContext } from "../../command/context.ts";
import { INSTALLERS } from "../../hooks/install/roster.ts";
import { configuredPath } from "../agent/configured-path.ts";
import type { Program } from "../program.ts";

export interface FoundAgent {
  readonly agent: string;
  readonly isFound: boolean;
  readonly version: string | null;
  /** The program, or why there is none. */
  readonly program: string;
}

/** Every agent is asked for its version at the same time; none of them can make this fail. */
export async function findAgents(
  context: CommandContext,
  program: Program,
  names: readonly string[] = INSTALLERS.map(({ agent }) => agent),
): Promise<FoundAgent[]> {
  const env = context.env.forChild();
  const settings = await program.settings();
  return Promise.all(
    names.map(async (name) => {
      const adapter = requireAgent(name);
      const place = { env: pickEnvironment(adapter, env), cwd: context.workingDirectory };
      const here = await checkAvailability(adapter, {
        ...place,
        configuredPath: configuredPath(settings, name),
      });
      return describeFound(name, here);
    }),
  );
}

const describeFound = (agent: string, here: Availability): FoundAgent => ({
  agent,
  isFound: here.available,
  version: here.version ?? null,
  program: here.available ? (here.path ?? "") : (here.problem ?? ""),
});
