// Where stages lead. A stage that nothing comes to, and one from which nothing comes to the end, is a mistake. Pure.

import type { Fault } from "../../core/command/fault.ts";
import { didYouMean, quoteNames } from "../../core/command/names.ts";
import type { Expression } from "./expression.ts";
import { END } from "./stage-schema.ts";
import type { Stage, StageWorkflow, Transition } from "./workflow.ts";

export interface Edge {
  readonly from: string;
  /** A stage, or `end`. */
  readonly to: string;
  readonly kind: "next" | "otherwise" | "choice";
  /** Null where it always holds. */
  readonly when: Expression | null;
  /** Of a choice. */
  readonly answer: string | null;
}

/** Every way out of a stage; one without `next` leads to the end. */
export function listEdges({ name: from, act, next, otherwise }: Stage): Edge[] {
  const choices = act.kind === "ask" ? act.choices : null;
  const ways = (kind: "next" | "otherwise", transitions: readonly Transition[]): Edge[] =>
    transitions.map(({ to, when }) => ({ from, to, kind, when, answer: null }));
  const ahead =
    choices === null
      ? ways("next", next.length === 0 ? [{ to: END, when: null }] : next)
      : Object.entries(choices).map(
          ([answer, to]): Edge => ({ from, to, kind: "choice", when: null, answer }),
        );
  return [...ahead, ...ways("otherwise", otherwise)];
}

type Complain = (path: readonly PropertyKey[], problem: string, hint?: string) => Fault;

export function checkGraph(workflow: StageWorkflow, complain: Complain): void {
  const { start, stages } = workflow;
  const names = Object.keys(stages);
  if (!Object.hasOwn(stages, start))
    throw complain(["start"], `there is no stage \`${start}\`${didYouMean(start, names)}`);
  const edges = Object.values(stages).flatMap(listEdges);
  const reached = follow([start], edges, "from");
  const unreached = names.find((name) => !reached.has(name));
  if (unreached !== undefined)
    throw complain(
      ["stages", unreached],
      `nothing leads to stage \`${unreached}\``,
      "name it as a target, or remove it",
    );
  const ending = follow([END], edges, "to");
  const trapped = names.find((name) => !ending.has(name));
  if (trapped !== undefined)
    throw complain(
      ["stages", trapped],
      `${describeLoop(trapped, edges)}: a loop without a limit`,
      "let one of its stages lead to `end`",
    );
}

/** All that is met when edges are followed from these names. */
function follow(
  from: readonly string[],
  edges: readonly Edge[],
  tail: "from" | "to",
): ReadonlySet<string> {
  const head = tail === "from" ? "to" : "from";
  const met = new Set(from);
  // A set that grows while it is walked is walked to its end.
  for (const name of met) for (const edge of edges) if (edge[tail] === name) met.add(edge[head]);
  return met;
}

/** From a stage that never ends: the way of its first edges until a stage comes again. */
function describeLoop(start: string, edges: readonly Edge[]): string {
  const way: string[] = [];
  let at: string | undefined = start;
  while (at !== undefined && !way.includes(at)) {
    way.push(at);
    const from: string = at;
    at = edges.find((edge) => edge.from === from)?.to;
  }
  const loop = [...way.slice(way.indexOf(at ?? start)), at ?? start];
  return `${quoteNames(loop, " → ")} never comes to \`end\``;
}
