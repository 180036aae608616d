// The agent and the model of a run, resolved once when it begins: a setting that changes later does not change them.
import { cardOf } from "../../agents/choice/cards.ts";
import { choose, chooseAgentName } from "../../agents/choice/choice.ts";
import { findFirstAgent } from "../../agents/choice/first-agent.ts";
import { requireAdapter } from "../../agents/roster.ts";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import { fault } from "../../core/command/fault.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { requireSettingsAt } from "../../session/approvals/rules.ts";
import type { Workflow } from "../definition/workflow.ts";

export interface RunFolders {
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whose choice counts: the session it is attached to, or that of whoever starts it. */
  readonly sessionId: string;
}

interface RunAgent {
  /** Null where none is named and none is here: a script may do without. */
  readonly agent: string | null;
  readonly model: string | null;
}

/** One order: flag, the workflow's own, environment, session, settings; then the first that is found here. */
export async function chooseRunAgent(
  program: Program,
  wanted: { readonly agent: string | null; readonly model: string | null },
  { workflow, folders }: { readonly workflow: Workflow; readonly folders: RunFolders },
): Promise<RunAgent> {
  const settings = { ...(await requireSettingsAt(program, folders)) };
  const session = program.sessions().read(folders.sessionId);
  const { ADJ_AGENT, ADJ_MODEL } = folders.env;
  const usual = chooseAgentName({
    environment: ADJ_AGENT,
    session: session.agent,
    settings: settings.agent,
  }).value;
  const own = workflow.form === "stages" ? workflow : { agent: null, model: null };
  const named = wanted.agent ?? own.agent ?? usual;
  const search = { env: folders.env, cwd: folders.cwd, settings };
  const adapter = named === null ? await findFirstAgent(search) : await requireAdapter(named);
  const name = adapter?.name ?? null;
  if (adapter !== null) requireCapabilities(adapter, workflow);
  // A model was chosen for an agent: another one does not get it.
  const chosen =
    name === usual || usual === null
      ? choose({ environment: ADJ_MODEL, session: session.model, settings: settings.model }).value
      : null;
  return { agent: name, model: wanted.model ?? own.model ?? chosen };
}

/** Refuses before anything is spent. */
function requireCapabilities(adapter: AgentAdapter, workflow: Workflow): void {
  const required = workflow.form === "stages" ? workflow.requires : [];
  const has: readonly string[] = cardOf(adapter, null).capabilities;
  const capabilities = required.filter((one) => !has.includes(one));
  if (capabilities.length === 0) return;
  const hint = `workflow \`${workflow.name}\` requires it; choose another agent`;
  throw fault("CapabilityMissing", { agent: adapter.name, capabilities }, { hint });
}
