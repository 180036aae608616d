// What an agent's table of abilities is written with, and what is read from it.
import type { StepName } from "../step.ts";
import type { HookAbilities, StepAbility, StepEvent } from "./hook-agent.ts";

/** Without a veto the step can only be observed. */
export const on = (
  event: string,
  veto: StepAbility["veto"] = "none",
  changes: StepAbility["changes"] = [],
): StepAbility => ({ event, veto, changes, canAsk: false });

/** Where the agent can ask a person as well. */
export const onAsking = (
  event: string,
  veto: StepAbility["veto"],
  changes: StepAbility["changes"],
): StepAbility => ({ ...on(event, veto, changes), canAsk: true });

/** As a session meets them: the order of the entries in an agent's file. */
const IN_ORDER = [
  "session_start",
  "before_prompt",
  "before_tool",
  "before_permission",
  "after_tool",
  "before_turn_end",
  "subagent_start",
  "subagent_end",
  "before_compact",
  "after_compact",
  "notification",
  "session_end",
] as const;

/** The agent's events that are steps; `more` names a second event of a step. */
export const eventsOf = (
  { steps }: Pick<HookAbilities, "steps">,
  more: Readonly<Partial<Record<StepName, string>>> = {},
): readonly StepEvent[] =>
  IN_ORDER.flatMap((step) =>
    [steps[step]?.event, more[step]]
      .filter((event) => event !== undefined)
      .map((event) => ({ event, step })),
  );

export const stepsByEvent = (events: readonly StepEvent[]): ReadonlyMap<unknown, StepName> =>
  new Map(events.map(({ event, step }) => [event, step]));
