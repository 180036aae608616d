import type { AgentAdapter } from "../../agents/adapter.ts";
import { locateProgram } from "../../agents/availability.ts";
import { pickEnvironment } from "../../agents/pick-environment.ts";
import { ROSTER, requireAgent } from "../../agents/roster.ts";
import { fault } from "../../command/fault.ts";
import { type AgentSource, decideAgent } from "../../markdown/decide-agent.ts";
import { configuredPath } from "../agent/configured-path.ts";
import type { CallSettings, MarkdownCall } from "./markdown-call.ts";

export interface ChosenAgent {
  readonly adapter: AgentAdapter;
  readonly source: AgentSource;
}

/** A named agent is never replaced by another, whether it is here or not. */
export async function chooseAgent(
  call: MarkdownCall,
  settings: CallSettings,
): Promise<ChosenAgent> {
  const { file, common, context } = call;
  const choice = decideAgent({
    flag: common.agent ?? null,
    environment: context.env.get("ADJ_AGENT") ?? null,
    file: file.fields.agent ?? null,
    hasCassette: file.fields.cassette !== undefined,
    name: file.namedAgent,
    session: (await context.session.get()).agent,
    settings: settings.agent,
  });
  if (choice !== null) return { adapter: requireAgent(choice.agent), source: choice.source };
  return { adapter: await findFirst(call), source: "found" };
}

/** In the order of the roster; what is no program of its own is never found, only named. */
async function findFirst({ context, program }: MarkdownCall): Promise<AgentAdapter> {
  const candidates = ROSTER.filter((adapter) => adapter.program !== null);
  const settings = await program.settings();
  for (const adapter of candidates) {
    const env = pickEnvironment(adapter, context.env.forChild());
    const path = configuredPath(settings, adapter.name);
    const place = { env, cwd: context.workingDirectory, configuredPath: path };
    if ((await locateProgram(adapter, place)).kind === "found") return adapter;
  }
  const programs = candidates.map(({ program: name }) => `\`${name}\``).join(", ");
  const [first] = candidates;
  throw fault(
    "NoneFound",
    { programs },
    { hint: `install one, such as with \`${first?.installHint}\`, or name one with \`--agent\`` },
  );
}
