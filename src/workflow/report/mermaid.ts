// The stages of a workflow as a Mermaid flowchart. Pure.
import { plainLine } from "../../core/terminal/text-columns.ts";
import { type Edge, listEdges } from "../definition/stage-graph.ts";
import { END } from "../definition/stage-schema.ts";
import type { Stage, StageAct, StageWorkflow } from "../definition/workflow.ts";
import { labelEdge } from "./draw-stages.ts";

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
