import { expect, test } from "vitest";
import { readStageWorkflow } from "../../../../src/workflow/definition/stage-file.ts";
import {
  decideNext,
  type NextStep,
  type StageEnding,
} from "../../../../src/workflow/engine/stages/decide-next.ts";

const { stages } = readStageWorkflow(
  `description: d
start: a
stages:
  a: { prompt: p, next: [{ when: output.x, to: b }, { when: output.y, to: end }], otherwise: c }
  b: { prompt: p, visits: 1, next: a, otherwise: c }
  c: { prompt: p, visits: 1, next: [{ to: d }], otherwise: b }
  d: { prompt: p }
`,
  "flow.yaml",
);

const passed: StageEnding = { kind: "passed" };
const refused: StageEnding = { kind: "refused", reason: "no good" };

test.each<[string, string, StageEnding, object, Record<string, number>, NextStep]>([
  ["the first way that holds", "a", passed, { x: 1, y: 1 }, {}, { kind: "stage", to: "b" }],
  ["the second where the first does not", "a", passed, { y: 1 }, {}, { kind: "end" }],
  ["otherwise where none holds", "a", passed, {}, {}, { kind: "stage", to: "c" }],
  ["otherwise where it was refused", "a", refused, { x: 1 }, {}, { kind: "stage", to: "c" }],
  ["what was chosen", "a", { kind: "chosen", to: "d" }, {}, {}, { kind: "stage", to: "d" }],
  ["the end without a next", "d", passed, {}, {}, { kind: "end" }],
  [
    "nowhere without an otherwise",
    "d",
    refused,
    {},
    {},
    { kind: "failed", reason: "stage `d`: no good" },
  ],
  ["around a stage that is full", "a", passed, { x: 1 }, { b: 1 }, { kind: "stage", to: "c" }],
  [
    "nowhere around a circle of full ones",
    "a",
    passed,
    { x: 1 },
    { b: 1, c: 1 },
    { kind: "failed", reason: "stage `c` was entered once, as often as it may" },
  ],
  [
    "around what was chosen too",
    "a",
    { kind: "chosen", to: "b" },
    {},
    { b: 1 },
    { kind: "stage", to: "c" },
  ],
])("a stage leads to %s", (_, name, ending, output, visits, next) => {
  const stage = stages[name];
  if (stage === undefined) throw new Error(`no stage ${name}`);
  const scope = { output: { ...output } };
  expect(
    decideNext({ stage, ending, stages, visits: new Map(Object.entries(visits)), scope }),
  ).toEqual(next);
});
