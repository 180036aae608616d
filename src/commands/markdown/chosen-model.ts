import type { AgentAdapter } from "../../agents/adapter.ts";
import { flagOfKey } from "../../markdown/flag-name.ts";
import type { BuilderConfig } from "../../markdown/front-matter-value.ts";
import type { CallSettings, MarkdownCall } from "./markdown-call.ts";

interface Terms {
  readonly adapter: AgentAdapter;
  readonly executable: string;
  readonly settings: CallSettings;
}

/**
 * The settings' defaults, with the model that is chosen below the file: the session's, else that of the
 * defaults, else the settings'. A model was chosen for an agent, so another one does not get it.
 */
export async function withChosenModel(
  { context }: MarkdownCall,
  { adapter, executable, settings }: Terms,
): Promise<BuilderConfig["commands"]> {
  const { commands } = settings;
  const defaults = commands[executable] ?? {};
  const session = await context.session.get();
  const isFor = (agent: string | null): boolean =>
    agent === null || agent === adapter.name || agent === adapter.program;
  const agentOfSession = session.agent ?? settings.agent;
  const ofSession = isFor(agentOfSession) ? session.model : null;
  const ofSettings = isFor(settings.agent) ? settings.model : null;
  const hasOwn = Object.keys(defaults).some((key) => ["--model", "-m"].includes(flagOfKey(key)));
  const model = ofSession ?? (hasOwn ? null : ofSettings);
  if (model === null || adapter.capabilities(null).settings.model === undefined) return commands;
  const kept = Object.entries(defaults).filter(
    ([key]) => !["--model", "-m"].includes(flagOfKey(key)),
  );
  return { ...commands, [executable]: { ...Object.fromEntries(kept), model } };
}
