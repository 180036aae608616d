// Whether an agent and a model fit what the session depends on.
import { nearestNames } from "../command/nearest-names.ts";
import type { SessionState } from "../command/session-access.ts";

/** What is known of an agent without running it. */
export interface AgentFacts {
  readonly name: string;
  readonly capabilities: readonly string[];
  /** Null where the agent cannot list its models. */
  readonly models: readonly string[] | null;
}

export interface Needs {
  /** Without one of these the session cannot go on. */
  readonly hard: readonly string[];
  /** Without one of these it goes on with less. */
  readonly preferred: readonly string[];
}

const isSet = ({ params }: SessionState, ...paths: readonly string[]): boolean =>
  paths.some((path) => Object.hasOwn(params, path));

/** What the session as it is now asks of an agent. */
export function needsOf(state: SessionState): Needs {
  const hard = isSet(state, "output_schema", "output-schema") ? ["structured-output"] : [];
  const isInstructed = isSet(state, "system_prompt", "system-prompt", "append-system-prompt");
  const preferred = [
    ...(state.turns.length > 0 ? ["resume"] : []),
    ...(isInstructed ? ["system-prompt"] : []),
    "hooks",
  ];
  return { hard, preferred };
}

export type Negotiation =
  | { readonly kind: "accepted"; readonly warnings: readonly string[] }
  | { readonly kind: "agent-unknown"; readonly suggestions: readonly string[] }
  | { readonly kind: "capability-missing"; readonly capabilities: readonly string[] }
  | {
      readonly kind: "model-unknown";
      readonly model: string;
      readonly suggestions: readonly string[];
    };

export interface Proposal {
  readonly agent: string | null;
  readonly model: string | null;
}

/** Refusing is an answer; nothing is changed here. */
export function negotiate(
  proposal: Proposal,
  known: readonly AgentFacts[],
  needs: Needs,
): Negotiation {
  const { agent, model } = proposal;
  if (agent === null) return acceptUnchecked(model, "no agent is chosen");
  if (known.length === 0) return acceptUnchecked(agent, "no agent is known");
  const card = known.find(({ name }) => name === agent);
  if (card === undefined) {
    const names = known.map(({ name }) => name);
    return { kind: "agent-unknown", suggestions: nearestNames(agent, names) };
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

function checkModel(card: AgentFacts, model: string, warnings: readonly string[]): Negotiation {
  if (card.models === null) {
    const unchecked = `\`${card.name}\` cannot list its models, so \`${model}\` was not checked`;
    return { kind: "accepted", warnings: [...warnings, unchecked] };
  }
  if (card.models.includes(model)) return { kind: "accepted", warnings };
  return { kind: "model-unknown", model, suggestions: nearestNames(model, card.models) };
}
