// What an agent honours of a decision, in words and as data.
import { formatTable } from "../../command/text-columns.ts";
import type { HookAbilities, StepAbility } from "../../hooks/agents/hook-agent.ts";
import { STEP_RULES, STEPS, type StepName } from "../../hooks/step.ts";

const COLUMNS = [
  { title: "STEP" },
  { title: "EVENT" },
  { title: "A VETO" },
  { title: "MAY CHANGE" },
  { title: "CANNOT", least: 12 },
] as const;

/** Steps of commands are Adjutant's own and are honoured everywhere. */
const AGENT_STEPS = STEPS.filter((step) => !step.endsWith("_command"));

export interface StepLine {
  readonly step: StepName;
  /** Null where the agent has no such event. */
  readonly event: string | null;
  readonly veto: StepAbility["veto"];
  readonly changes: readonly string[];
  readonly cannot: readonly string[];
}

export const listAbilities = ({ steps }: HookAbilities): StepLine[] =>
  AGENT_STEPS.map((step) => describeStep(step, steps[step]));

function describeStep(step: StepName, ability: StepAbility | undefined): StepLine {
  const { canVeto, changes } = STEP_RULES[step];
  if (ability === undefined) return { step, event: null, veto: "none", changes: [], cannot: [] };
  const lost = changes.filter((field) => !ability.changes.includes(field));
  const isAskLost = ability.changes.includes("permission") && !ability.canAsk;
  return {
    step,
    event: ability.event,
    veto: ability.veto,
    changes: ability.changes,
    cannot: [
      ...(canVeto && (ability.veto === "none" || ability.veto === "warns") ? ["veto"] : []),
      ...lost,
      ...(isAskLost ? ["ask"] : []),
    ],
  };
}

const VETOES: Readonly<Record<StepAbility["veto"], string>> = {
  blocks: "blocks",
  continues: "goes on",
  feedback: "is told",
  warns: "warns",
  none: "",
};

export function formatAbilities(abilities: HookAbilities, width: number | null): string[] {
  const rows = listAbilities(abilities).map(({ step, event, veto, changes, cannot }) => [
    step,
    event ?? "not there",
    VETOES[veto],
    changes.join(", "),
    cannot.join(", "),
  ]);
  return [...formatTable(COLUMNS, rows, width), ...describeVirtual(abilities)];
}

const SHIMS: Readonly<Record<HookAbilities["shims"], string>> = {
  "env-file": "virtual commands: on PATH from the start of a session",
  plugin: "virtual commands: on PATH in every shell of the agent",
  "line-prefix":
    "virtual commands: a line that needs one gets a `PATH=…` in front, which the agent shows",
  none: "virtual commands: those that only read are answered; for others the agent is told the `adj run` line",
};

const PROMPTS: Readonly<Record<HookAbilities["promptAnswer"], string | null>> = {
  "blocked-prompt":
    "a virtual command typed as the prompt is answered without the model, as a blocked prompt",
  handled: "a virtual command typed as the prompt is answered without the model",
  "synthetic-response": "a virtual command typed as the prompt is answered without the model",
  none: null,
};

function describeVirtual({ shims, promptAnswer, rewriteAllows }: HookAbilities): string[] {
  const prompt = PROMPTS[promptAnswer];
  return [
    SHIMS[shims],
    ...(prompt === null ? [] : [prompt]),
    ...(rewriteAllows ? ["a rewritten tool call counts as allowed on this agent"] : []),
  ];
}
