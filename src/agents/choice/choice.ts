// Which agent, model and params count now, and how they are changed. One order everywhere: environment,
// session, settings.
import { join } from "node:path";
import type { CommandContext, JsonValue, SessionState } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { nearestNames } from "../../core/command/names.ts";
import type { BundledContext, Program } from "../../core/commands/bundled.ts";
import { agentNameOf, nearestAgents } from "../roster.ts";
import { normalizeParamPath } from "./param-words.ts";

type Source = "environment" | "session" | "settings" | "none";

interface Choice {
  readonly value: string | null;
  readonly source: Source;
}

export interface ChoiceFacts {
  /** What `ADJ_AGENT` or `ADJ_MODEL` says. */
  readonly environment: string | undefined;
  readonly session: string | null;
  readonly settings: JsonValue | undefined;
}

export function choose({ environment, session, settings }: ChoiceFacts): Choice {
  if (environment !== undefined && environment !== "")
    return { value: environment, source: "environment" };
  if (session !== null) return { value: session, source: "session" };
  if (typeof settings === "string") return { value: settings, source: "settings" };
  return { value: null, source: "none" };
}

/** The same for the agent, which people also call by an alias. */
export function chooseAgentName(facts: ChoiceFacts): Choice {
  const { value, source } = choose(facts);
  return { value: value === null ? null : agentNameOf(value), source };
}

/** Declared by every command that asks what is chosen. */
export const CHOICE_VARIABLES = ["ADJ_AGENT", "ADJ_MODEL"] as const;

export interface Chosen {
  readonly agent: Choice;
  readonly model: Choice;
}

/** The agent and the model that a command would use. */
export async function findChosen(
  context: CommandContext,
  program: Program,
  state: SessionState,
): Promise<Chosen> {
  const settings = await program.settings();
  const { env } = context;
  return {
    agent: chooseAgentName({
      environment: env.get("ADJ_AGENT"),
      session: state.agent,
      settings: settings.agent,
    }),
    model: choose({
      environment: env.get("ADJ_MODEL"),
      session: state.model,
      settings: settings.model,
    }),
  };
}

const SOURCES: Readonly<Record<Exclude<Source, "none">, string>> = {
  environment: "from the environment",
  session: "from this session",
  settings: "from the settings",
};

export const describeChoice = ({ value, source }: Choice, none: string): string =>
  value === null || source === "none" ? none : `${value} (${SOURCES[source]})`;

/** Gives the warnings of a proposal that fits; one that does not is a fault and changes nothing. */
export async function requireFit(
  proposal: Proposal,
  state: SessionState,
  caller: BundledContext,
): Promise<readonly string[]> {
  const { listCandidates, listModels } = await import("./cards.ts");
  const { readHistory } = await import("./history.ts");
  const agents = await listCandidates();
  const { agent: name, model } = proposal;
  const models = name === null || model === null ? null : await listModels(name, caller);
  const known = agents.map((one) => (one.name === name ? { ...one, models } : one));
  const history = readHistory(caller.program, caller.context.session.id);
  const stage = caller.program.sessions().stages.read(caller.context.session.id);
  const answer = negotiate(proposal, known, needsOf(state, history, stage?.requires));
  const agent = name ?? "";
  switch (answer.kind) {
    case "accepted":
      return answer.warnings;
    case "agent-unknown": {
      const hint = `known are ${agents.map((one) => `\`${one.name}\``).join(", ")}`;
      throw fault("AgentUnknown", { agent, suggestions: answer.suggestions }, { hint });
    }
    case "capability-missing":
      throw fault(
        "CapabilityMissing",
        { agent, capabilities: answer.capabilities },
        { hint: "choose another agent" },
      );
    case "model-refused": {
      const hint = `it ${answer.problem}; give another with \`adj provider ${agent} --model NAME\``;
      throw fault("ModelUnknown", { agent, model: answer.model, suggestions: [] }, { hint });
    }
    case "model-unknown": {
      const { suggestions } = answer;
      const hint = `give one of its models, \`adj provider ${agent} --model NAME\``;
      throw fault("ModelUnknown", { agent, model: answer.model, suggestions }, { hint });
    }
  }
}

/** Writes into the user's own settings, not the project's, and gives their file. */
export async function saveDefault(
  program: Program,
  key: "agent" | "model",
  value: string,
): Promise<string> {
  const { editSettings } = await import("../../core/project/settings-file.ts");
  const file = join(program.configDir, "config.yaml");
  editSettings({ file, scope: "user" }, [key], value);
  return file;
}

export const withWarnings = (text: string, warnings: readonly string[]): string =>
  [text, ...warnings.map((warning) => `warning: ${warning}`)].join("\n");

// Whether an agent and a model fit what the session depends on.

/** What a session or a workflow can need of an agent; each is listed by one of the roster at least. */
export const CAPABILITIES = [
  "tools",
  "images",
  "resume",
  "structured-output",
  "hooks",
  "mcp",
  "system-prompt",
] as const;

/** What is known of an agent without running it. */
export interface AgentCard {
  readonly name: string;
  readonly capabilities: readonly string[];
  /** Null where the agent cannot list its models. */
  readonly models: readonly string[] | null;
}

export interface CandidateAgent extends AgentCard {
  /** What a run would find wrong with the name of a model. */
  findModelProblem(model: string): string | null;
}

export interface Needs {
  /** Without one of these the session cannot go on. */
  readonly hard: readonly string[];
  /** Without one of these it goes on with less. */
  readonly preferred: readonly string[];
}

/** A path, or one below it, in either spelling. */
const isSet = ({ params }: SessionState, ...settings: readonly string[]): boolean =>
  Object.keys(params).some((path) =>
    settings.includes(normalizeParamPath(path).split(".", 1)[0] ?? ""),
  );

/** What the turns of a session hold. */
export interface History {
  readonly turns: number;
  readonly hasToolCalls: boolean;
  readonly hasImages: boolean;
}

export const NO_HISTORY: History = { turns: 0, hasToolCalls: false, hasImages: false };

/** What the session as it is now asks of an agent, and the workflow that is attached to it. */
export function needsOf(
  state: SessionState,
  history: History,
  required: readonly string[] = [],
): Needs {
  const held = [
    ...(history.hasToolCalls ? ["tools"] : []),
    ...(history.hasImages ? ["images"] : []),
    ...(isSet(state, "output_schema") ? ["structured-output"] : []),
  ];
  const hard = [...new Set([...held, ...required])];
  const isInstructed = isSet(state, "system_prompt", "append_system_prompt");
  const preferred = [
    ...(history.turns > 0 ? ["resume"] : []),
    ...(isInstructed ? ["system-prompt"] : []),
    ...(isSet(state, "mcp_config") ? ["mcp"] : []),
    "hooks",
  ].filter((one) => !hard.includes(one));
  return { hard, preferred };
}

export type Negotiation =
  | { readonly kind: "accepted"; readonly warnings: readonly string[] }
  | { readonly kind: "agent-unknown"; readonly suggestions: readonly string[] }
  | { readonly kind: "capability-missing"; readonly capabilities: readonly string[] }
  /** By the agent's own rule, whose words these are. */
  | { readonly kind: "model-refused"; readonly model: string; readonly problem: string }
  | {
      readonly kind: "model-unknown";
      readonly model: string;
      readonly suggestions: readonly string[];
    };

export interface Proposal {
  readonly agent: string | null;
  readonly model: string | null;
}

/** Whether the proposal can be had. A refusal is an answer; nothing is changed here. */
export function negotiate(
  proposal: Proposal,
  known: readonly CandidateAgent[],
  needs: Needs,
): Negotiation {
  const { agent, model } = proposal;
  if (agent === null) return acceptUnchecked(model, "no agent is chosen");
  const card = known.find(({ name }) => name === agent);
  if (card === undefined) {
    const names = known.map(({ name }) => name);
    return { kind: "agent-unknown", suggestions: nearestAgents(agent, names) };
  }
  const lacks = (wanted: readonly string[]) =>
    wanted.filter((one) => !card.capabilities.includes(one));
  const missing = lacks(needs.hard);
  if (missing.length > 0) return { kind: "capability-missing", capabilities: missing };
  const warnings = lacks(needs.preferred).map((one) => `\`${agent}\` lacks \`${one}\``);
  return model === null ? { kind: "accepted", warnings } : checkModel(card, model, warnings);
}

const acceptUnchecked = (name: string | null, reason: string): Negotiation => ({
  kind: "accepted",
  warnings: name === null ? [] : [`${reason}, so \`${name}\` was not checked`],
});

function checkModel(card: CandidateAgent, model: string, warnings: readonly string[]): Negotiation {
  const problem = card.findModelProblem(model);
  if (problem !== null) return { kind: "model-refused", model, problem };
  if (card.models === null) {
    const unchecked = `\`${card.name}\` cannot list its models, so \`${model}\` was not checked`;
    return { kind: "accepted", warnings: [...warnings, unchecked] };
  }
  if (card.models.includes(model)) return { kind: "accepted", warnings };
  return { kind: "model-unknown", model, suggestions: nearestNames(model, card.models) };
}
