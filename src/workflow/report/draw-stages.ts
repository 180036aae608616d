// The stages of a workflow for a person at a terminal: what each does, what it must pass, where it leads. Pure.
import { cutText, plainLine } from "../../core/terminal/text-columns.ts";
import { printExpression } from "../definition/expression.ts";
import { type Edge, listEdges } from "../definition/stage-graph.ts";
import { END } from "../definition/stage-schema.ts";
import type { Stage, StageAct, StageCheck, StageWorkflow } from "../definition/workflow.ts";

const DEFAULT_COLUMNS = 100;

/** In the order of the file, which is the order in which its author thinks of them. */
export function drawStages(workflow: StageWorkflow, columns = DEFAULT_COLUMNS): string {
  const stages = Object.values(workflow.stages);
  const width = Math.max(...stages.map(({ name }) => name.length));
  const lines = stages.flatMap((stage) => {
    const mark = stage.name === workflow.start ? "▶" : " ";
    const [first = "", ...rest] = [describeAct(stage), ...describeRest(stage)];
    return [
      `${mark} ${stage.name.padEnd(width)}  ${first}`,
      ...rest.map((line) => `${" ".repeat(width + 4)}${line}`),
    ];
  });
  return `${lines.map((line) => cutText(line, columns)).join("\n")}\n`;
}

/** What a stage does, in one line. */
export function describeAct(stage: Stage): string {
  const { act, agent, model, conversation, isolate, timeoutMs } = stage;
  const turn = [
    agent,
    model,
    conversation === "fresh" ? "fresh" : null,
    isolate || (act.kind === "each" && act.isolate) ? "in a worktree" : null,
    timeoutMs === null ? null : `at most ${timeoutMs / 1_000} s`,
  ].filter((part) => part !== null);
  // A prompt may be long, so it comes last.
  return [...turn, nameAct(act)].join(" · ");
}

function nameAct(act: StageAct): string {
  switch (act.kind) {
    case "prompt":
      return `prompt "${plainLine(act.prompt)}"`;
    case "command":
      return `command \`${plainLine(act.line)}\``;
    case "ask":
      return `ask "${plainLine(act.question)}"`;
    case "workflow":
      return `workflow ${act.name}`;
    case "each":
      return `each ${act.as} in ${printExpression(act.in)}, ${act.atOnce} at once: ${nameAct(act.do)}`;
  }
}

function describeRest(stage: Stage): string[] {
  const { when, checks, attempts, output, visits } = stage;
  const keys =
    typeof output?.properties === "object" && output.properties !== null
      ? Object.keys(output.properties)
      : [];
  const again = attempts > 1 ? `, up to ${attempts} attempts` : "";
  const limit = visits === DEFAULT_VISITS ? [] : [`entered at most ${visits} times`];
  return [
    ...(when === null ? [] : [`when ${printExpression(when)}`]),
    ...(keys.length === 0 ? [] : [`gives ${keys.join(", ")}`]),
    ...(checks.length === 0 ? [] : [`check ${checks.map(describeCheck).join(", ")}${again}`]),
    ...(checks.length === 0 && attempts > 1 ? [`up to ${attempts} attempts`] : []),
    ...limit,
    ...listEdges(stage).map(describeEdge),
  ];
}

const DEFAULT_VISITS = 10;

function describeCheck(check: StageCheck): string {
  if (check.kind === "command") return `\`${plainLine(check.line)}\``;
  if (check.kind === "file") return `file ${plainLine(check.path)}`;
  return check.kind === "output"
    ? printExpression(check.expression)
    : `"${plainLine(check.question)}"`;
}

function describeEdge(edge: Edge): string {
  const label = labelEdge(edge);
  return label === null ? `→ ${edge.to}` : `${label} → ${edge.to}`;
}

/** What a way is taken for; null where nothing is asked. */
function labelEdge({ kind, when, answer }: Edge): string | null {
  if (kind === "choice") return `"${plainLine(answer ?? "")}"`;
  const condition = when === null ? null : printExpression(when);
  if (kind === "next") return condition;
  return condition === null ? "otherwise" : `otherwise, ${condition}`;
}

// The stages of a workflow as a Mermaid flowchart. Pure.

/** Ids are numbers, since `end` and others are words of Mermaid; names stand in quotes. */
export function drawMermaid(workflow: StageWorkflow): string {
  const stages = Object.values(workflow.stages);
  const ids = new Map(stages.map(({ name }, index) => [name, `s${index}`]));
  const idOf = (name: string): string => ids.get(name) ?? (name === END ? "done" : "lost");
  const edges = stages.flatMap(listEdges);
  const lines = [
    "flowchart TD",
    "  begin(( ))",
    ...stages.map((stage) => `  ${idOf(stage.name)}${drawNode(stage)}`),
    `  done(("${END}"))`,
    `  begin --> ${idOf(workflow.start)}`,
    ...edges.map((edge) => `  ${idOf(edge.from)} ${drawArrow(edge)} ${idOf(edge.to)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Who decides has the corners, what runs by itself the slants. */
const SHAPES: Readonly<Record<StageAct["kind"], readonly [string, string]>> = {
  prompt: ["[", "]"],
  command: ["[/", "/]"],
  ask: ["{{", "}}"],
  workflow: ["[[", "]]"],
  each: ["[(", ")]"],
};

function drawNode({ name, act, agent }: Stage): string {
  const [open, close] = SHAPES[act.kind];
  const who = agent === null ? "" : `<br/>${quote(agent)}`;
  return `${open}"${quote(name)}${who}"${close}`;
}

function drawArrow(edge: Edge): string {
  const line = edge.kind === "otherwise" ? "-.->" : "-->";
  const label = labelEdge(edge);
  return label === null ? line : `${line}|"${quote(label)}"|`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '"': "#quot;",
  "<": "#lt;",
  ">": "#gt;",
  "#": "#35;",
  "|": "#124;",
  "`": "#96;",
};

const quote = (text: string): string =>
  plainLine(text).replaceAll(/["<>#|`]/g, (mark) => ENTITIES[mark] ?? mark);
