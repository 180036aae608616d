// Which agent and which model a call gets, and where the agent is.
import { requireFirstAgent } from "../../agents/choice/first-agent.ts";
import { asList, asName } from "../../agents/log/json-fields.ts";
import { requireAdapter } from "../../agents/roster.ts";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import { type LocatedAgent, locateAgent, openAgentSearch } from "../../agents/run/availability.ts";
import { locateForRun } from "../../agents/run/command-run.ts";
import { Fault } from "../../core/command/fault.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { FrontMatter } from "../../core/project/front-matter.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { flagOfKey } from "../argv/flag-words.ts";
import { type AgentSource, decideAgent } from "../file/named-agent.ts";
import type { CallSettings, MarkdownCall } from "./call.ts";

export interface ChosenAgent {
  readonly adapter: AgentAdapter;
  readonly source: AgentSource;
  readonly located: LocatedAgent;
  /** Why the agent could not be run; null where it could. */
  readonly problem: string | null;
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
  const adapter =
    choice === null
      ? await requireFirstAgent(await openAgentSearch(context, call.program))
      : await requireAdapter(
          choice.agent,
          choice.source === "file" ? file.at(["agent"]) : undefined,
        );
  return { adapter, source: choice?.source ?? "found", ...(await locate(call, adapter)) };
}

/** An explanation also has something to say about an agent that is not there. */
async function locate(
  { file, common, context, program, isExplained }: MarkdownCall,
  adapter: AgentAdapter,
): Promise<Pick<ChosenAgent, "located" | "problem">> {
  try {
    const search = await openAgentSearch(context, program);
    const wanted = { adapter, config: file.frontMatter, workspaceDir: context.workingDirectory };
    const located = await (isExplained || common.dryRun
      ? locateAgent(adapter, search)
      : locateForRun(wanted, search, { context, program }));
    return { located, problem: null };
  } catch (error) {
    if (!isExplained || !(error instanceof Fault)) throw error;
    return { located: { agentVersion: null }, problem: error.message };
  }
}

/** The settings were checked when they were read; here they only lost their type on the way. */
export async function readCallSettings(program: Program): Promise<CallSettings> {
  const settings = await program.settings();
  const commands = Object.entries(asRecord(settings.commands));
  return {
    agent: asName(settings.agent),
    model: asName(settings.model),
    commands: new Map(commands.map(([name, defaults]) => [name, asRecord(defaults)])),
    importHosts: asList(settings.importHosts).map(String),
  };
}

/** Under which its defaults stand: the program's name, or the first word of `argv`. */
export function executableOf({ program, name }: AgentAdapter, { argv }: FrontMatter): string {
  const [first] = Array.isArray(argv) ? argv : [];
  return program ?? (typeof first === "string" ? first : name);
}

/**
 * The settings' defaults for a program, with the model that is chosen below the file: the session's, else
 * that of the defaults, else the settings'. A model was chosen for an agent, so another one does not get it.
 */
export async function readDefaults(
  { context, file }: MarkdownCall,
  { adapter }: ChosenAgent,
  settings: CallSettings,
): Promise<FrontMatter> {
  const defaults = settings.commands.get(executableOf(adapter, file.frontMatter)) ?? {};
  const session = await context.session.get();
  const isFor = (agent: string | null): boolean =>
    agent === null || agent === adapter.name || agent === adapter.program;
  const ofSession = isFor(session.agent ?? settings.agent) ? session.model : null;
  const ofSettings = isFor(settings.agent) ? settings.model : null;
  const others = Object.entries(defaults).filter(([key]) => !isModelKey(key));
  const hasOwn = others.length < Object.keys(defaults).length;
  const model = ofSession ?? (hasOwn ? null : ofSettings);
  if (model === null || adapter.capabilities(null).settings.model === undefined) return defaults;
  return { ...Object.fromEntries(others), model };
}

const isModelKey = (key: string): boolean => ["--model", "-m"].includes(flagOfKey(key));
