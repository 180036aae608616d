// Session start: the shims are put in order and onto PATH, and the agent learns what it can type.
import type { Decision } from "../decision.ts";
import { describeCommands } from "./command-lines.ts";
import { appendShimPath } from "./shim-path.ts";
import { replaceShims, shimFolder } from "./shims.ts";
import type { VirtualParts, VirtualStep } from "./virtual-step.ts";

export async function openSession(parts: VirtualParts, step: VirtualStep): Promise<Decision> {
  const { decision, place, agent, sessionId } = step;
  const desk = await parts.openDesk(place);
  const prefix = await desk.prefix();
  const listed = await desk.list();
  const { stateDir } = place.paths;
  const shims = { stateDir, root: place.root, prefix, program: parts.program };
  replaceShims(
    shims,
    listed.map(({ summary }) => summary.name),
  );
  const envFile = place.env.CLAUDE_ENV_FILE;
  if (agent.abilities.shims === "env-file" && envFile)
    appendShimPath(envFile, { folder: shimFolder(shims), sessionId });
  const told = describeCommands(listed, prefix);
  if (told === null) return decision;
  return { ...decision, additionalContext: [...decision.additionalContext, told] };
}
