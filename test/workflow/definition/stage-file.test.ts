import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readStageWorkflow } from "../../../src/workflow/definition/stage-file.ts";
import { problemOf } from "../../support/faults.ts";
import { inTier } from "../../support/tier.ts";
import { PLAN_BUILD_REVIEW } from "../example-stages.ts";

/** The one line that a person reads, or that there is none. */
const faultIn = (text: string): string => problemOf(() => readStageWorkflow(text, "flow.yaml"));

/** A workflow of one stage, whose keys these are, each in a line of its own from line 5. */
const stage = (keys: string): string =>
  `description: d\nstart: a\nstages:\n  a:\n${keys
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n")}\n`;

describe("a file of stages", () => {
  test("is read whole", () => {
    const { stages, ...workflow } = readStageWorkflow(
      PLAN_BUILD_REVIEW,
      "/p/.adjutant/workflows/feature.yaml",
    );
    expect(workflow).toMatchObject({
      form: "stages",
      name: "feature",
      description: "Plan, build, prove, review",
      file: "/p/.adjutant/workflows/feature.yaml",
      inputs: { task: { description: "what to build" } },
      requires: ["tools"],
      start: "plan",
      agent: null,
      budget: { usd: null, tokens: null, calls: null, timeMs: null },
    });
    expect(Object.keys(stages)).toEqual(["plan", "build", "review", "ship", "release", "stuck"]);
    expect(stages.plan).toMatchObject({
      name: "plan",
      where: { file: "/p/.adjutant/workflows/feature.yaml", line: 6, column: 3 },
      agent: "claude-code",
      conversation: "same",
      posture: [
        { action: "allow", rule: { kind: "read" } },
        { action: "allow", rule: { kind: "search" } },
        { action: "allow", rule: { kind: ["write"], path: ["PLAN.md"] } },
      ],
      checks: [{ kind: "file", path: "PLAN.md" }],
      attempts: 1,
      visits: 10,
      next: [{ when: null, to: "build" }],
      otherwise: [{ when: null, to: "stuck" }],
    });
    expect(stages.build).toMatchObject({
      attempts: 3,
      checks: [{ kind: "command", line: "test" }],
    });
    expect(stages.review).toMatchObject({
      conversation: "fresh",
      visits: 3,
      output: {
        type: "object",
        properties: {
          approve: { type: "boolean" },
          reasons: { type: "array", items: { type: "string" } },
        },
        required: ["approve", "reasons"],
        additionalProperties: false,
      },
      next: [
        { when: { kind: "path", path: ["output", "approve"] }, to: "ship" },
        { when: null, to: "build" },
      ],
    });
    expect(stages.ship?.act).toEqual({ kind: "ask", question: "Ship it?", choices: null });
    expect(stages.release).toMatchObject({
      act: { kind: "command", line: "release minor" },
      next: [],
    });
    expect(stages.stuck?.act).toMatchObject({ choices: { build: "build", "give up": "end" } });
  });

  test("has limits, lists to go through, and other workflows in it", () => {
    const { stages, budget, inputs } = readStageWorkflow(
      `description: d
inputs: { files: { description: which, default: [a] }, how: in which way }
budget: { usd: 2.5, tokens: 1000, calls: 20, time: 2h }
start: all
stages:
  all:
    each: { in: inputs.files, as: file, do: { prompt: "Look at {{ file.name }}" }, at_once: 2, isolate: worktree }
    timeout: 10m
    budget: { calls: 3 }
    next: sub
  sub: { workflow: other, inputs: { what: "{{ stages.all.output }}", deep: true } }
`,
      "flow.yaml",
    );
    expect(budget).toEqual({ usd: 2.5, tokens: 1000, calls: 20, timeMs: 7_200_000 });
    expect(inputs).toEqual({
      files: { description: "which", default: ["a"] },
      how: { description: "in which way", default: undefined },
    });
    expect(stages.all?.act).toEqual({
      kind: "each",
      in: { kind: "path", path: ["inputs", "files"] },
      as: "file",
      do: { kind: "prompt", prompt: "Look at {{ file.name }}" },
      atOnce: 2,
      isolate: true,
    });
    expect(stages.all).toMatchObject({ timeoutMs: 600_000, budget: { calls: 3, usd: null } });
    expect(stages.sub?.act).toMatchObject({ kind: "workflow", name: "other" });
  });
});

const BAD: readonly [what: string, text: string, problem: string][] = [
  [
    "no YAML",
    "a: [",
    "flow.yaml:1:5: not YAML: flow sequence in block collection must be sufficiently indented and end with a ]",
  ],
  ["nothing", "", "flow.yaml:1:1: the file must be a map"],
  [
    "an agent that nobody knows",
    stage("prompt: p\nagent: codx"),
    "flow.yaml:6:12: unknown agent `codx`; did you mean `codex`? list all with `adj agent list`",
  ],
  [
    "the same for the whole workflow",
    `agent: codx\n${stage("prompt: p")}`,
    "flow.yaml:1:8: unknown agent `codx`; did you mean `codex`? list all with `adj agent list`",
  ],
  ["no stages", "description: d\nstart: a\nstages: {}\n", "flow.yaml:3:9: `stages` has no stage"],
  [
    "a misspelt key of the file",
    `${stage("prompt: p")}budgett: { usd: 1 }\n`,
    "flow.yaml:6:1: unknown key `budgett`; did you mean `budget`?",
  ],
  [
    "a misspelt key of a stage",
    stage("prompt: p\nattemps: 3"),
    "flow.yaml:6:5: unknown key `attemps`; did you mean `attempts`?",
  ],
  [
    "a misspelt key of a check",
    stage("prompt: p\ncheck: { comand: test }"),
    "flow.yaml:6:14: unknown key `comand`; did you mean `command`?",
  ],
  [
    "a stage called end",
    "description: d\nstart: end\nstages: { end: { prompt: p } }\n",
    "flow.yaml:3:11: `end` must be letters, digits, `_` and `-`, beginning with a letter, and not `end`",
  ],
  [
    "a start that is not there",
    "description: d\nstart: b\nstages: { abc: { prompt: p } }\n",
    "flow.yaml:2:8: there is no stage `b`",
  ],
  [
    "a stage that does nothing",
    stage("next: end"),
    "flow.yaml:4:3: stage `a` does nothing; give it one of `prompt`, `command`, `ask`, `workflow`, `each`",
  ],
  [
    "two acts",
    stage("prompt: p\ncommand: test"),
    "flow.yaml:6:5: stage `a` has `prompt` and `command`; one of `prompt`, `command`, `ask`, `workflow`, `each` is what it does",
  ],
  [
    "two acts for each",
    stage("each: { in: inputs, as: one, do: { prompt: p, command: test } }"),
    "flow.yaml:5:51: `do` has `prompt` and `command`; one of `prompt`, `command`, `workflow` is what it does",
  ],
  [
    "a missing stage",
    stage("prompt: p\nnext: b"),
    "flow.yaml:6:11: there is no stage `b`; did you mean `a`?",
  ],
  [
    "a missing stage in a list",
    stage("prompt: p\nnext: [{ when: output, to: somewhere }, { to: end }]"),
    "flow.yaml:6:32: there is no stage `somewhere`",
  ],
  [
    "a missing stage of a choice",
    stage("ask: Well?\nchoices: { yes: end, no: nowhere }"),
    "flow.yaml:6:30: there is no stage `nowhere`",
  ],
  [
    "a stage that nothing leads to",
    `${stage("prompt: p")}  lost: { prompt: p }\n`,
    "flow.yaml:6:9: nothing leads to stage `lost`; name it as a target, or remove it",
  ],
  [
    "a loop without a limit",
    `${stage("prompt: p\nnext: b")}  b: { prompt: p, next: a }\n`,
    "flow.yaml:5:5: `a` → `b` → `a` never comes to `end`: a loop without a limit; let one of its stages lead to `end`",
  ],
  [
    "a loop behind the start",
    "description: d\nstart: a\nstages:\n  a: { prompt: p, next: b, otherwise: end }\n  b: { prompt: p, next: b }\n",
    "flow.yaml:5:6: `b` → `b` never comes to `end`: a loop without a limit; let one of its stages lead to `end`",
  ],
  [
    "a workflow that runs itself",
    stage("workflow: flow"),
    "flow.yaml:5:15: the workflow `flow` runs itself: a loop without a limit",
  ],
  [
    "no limit at all",
    stage("prompt: p\nvisits: 0"),
    "flow.yaml:6:13: `visits` must be a whole number from 1 to 1000",
  ],
  [
    "a limit that is none",
    stage("prompt: p\nvisits: 1000000"),
    "flow.yaml:6:13: `visits` must be a whole number from 1 to 1000",
  ],
  [
    "a time without a unit",
    stage("prompt: p\ntimeout: 30"),
    "flow.yaml:6:14: `timeout` must be a duration such as `30s` or `10m`",
  ],
  [
    "an entry behind the one that always holds",
    stage("prompt: p\nnext: [{ to: end }, { when: output, to: end }]"),
    "flow.yaml:6:25: nothing comes to this entry: the one before it has no `when`; put the one without `when` last",
  ],
  [
    "choices beside next",
    stage("ask: Well?\nchoices: { yes: end }\nnext: end"),
    "flow.yaml:7:5: `choices` already say where each answer leads; leave `next` out",
  ],
  [
    "choices without a question",
    stage("prompt: p\nchoices: { yes: end }"),
    "flow.yaml:6:5: `choices` belong to `ask`",
  ],
  [
    "inputs without a workflow",
    stage("prompt: p\ninputs: { a: 1 }"),
    "flow.yaml:6:5: `inputs` belong to `workflow`",
  ],
  [
    "a turn's key where there is no turn",
    stage("command: test\ntools: { deny: [shell] }"),
    "flow.yaml:6:5: `tools` is for a stage with a `prompt`",
  ],
  [
    "a mode that is none",
    stage("prompt: p\nmode: yolo"),
    "flow.yaml:6:11: `mode` must be one of `ask`, `allowlist`, `auto`",
  ],
  [
    "an unknown kind of tool",
    stage("prompt: p\ntools: { allow: [read, serch] }"),
    "flow.yaml:6:28: `serch` is no kind of tool; did you mean `search`? kinds are `shell`, `read`, `write`, `edit`, `fetch`, `search`, `mcp`, `agent`, `other`; one tool is `{ tool: serch }`",
  ],
  [
    "an unknown key of a rule",
    stage("prompt: p\ntools: { ask: [{ pth: x }] }"),
    "flow.yaml:6:20: unknown key `pth`; did you mean `path`?",
  ],
  [
    "an expression that is none",
    stage("prompt: p\nnext: [{ when: output.a = 1, to: end }]"),
    "flow.yaml:6:29: `output.a = 1`: `=` is written `==`",
  ],
  [
    "an expression of nothing known",
    stage("prompt: p\nwhen: ouput.a"),
    "flow.yaml:6:11: `ouput.a`: nothing is called `ouput` here; did you mean `output`?",
  ],
  [
    "an expression of an unknown stage",
    stage("prompt: p\nwhen: not stages.b.output"),
    "flow.yaml:6:15: `not stages.b.output`: there is no stage `b`; did you mean `a`?",
  ],
  [
    "a template that is not closed",
    stage('prompt: "Do {{ inputs"'),
    "flow.yaml:5:17: `{{` is not closed; close it with `}}`, or write `\\{{` for the characters themselves",
  ],
  [
    "a template of an unknown input",
    stage("prompt: |\n  Do this\n  and {{ inputs.tsk }}"),
    "flow.yaml:7:14: the workflow has no input `tsk`",
  ],
  [
    "a template of an unknown filter",
    stage("prompt: Do {{ output | shout }}"),
    "flow.yaml:5:16: unknown Liquid filter `shout`; use a filter of Liquid's",
  ],
  [
    "a template that reads the clock",
    stage("prompt: Do {{ 'now' | date }}"),
    "flow.yaml:5:16: the Liquid filter `date` is off here; its result would not be a plain value that is the same every time",
  ],
  [
    "a line whose command a value says",
    stage("command: '{{ output }} minor'"),
    "flow.yaml:5:15: a line begins with the name of a command; write it out; values may follow it",
  ],
  [
    "a line with an open quote",
    stage("command: release 'minor"),
    "flow.yaml:5:14: unclosed single quote opened at column 9",
  ],
  [
    "a shape that is none",
    stage("prompt: p\noutput: { approve: bool }"),
    "flow.yaml:6:24: `bool` is no shape; known are `string`, `number`, `integer`, `boolean`, `[shape]`, maps of them, and texts such as `low|high`",
  ],
  [
    "a shape that is a list",
    stage("prompt: p\noutput: [string]"),
    "flow.yaml:6:13: an output is a map of keys; name the value: `{ answer: string }`",
  ],
  [
    "a schema that contradicts itself",
    stage(
      "prompt: p\noutput: { type: object, required: [a], properties: {}, additionalProperties: false }",
    ),
    "flow.yaml:6:13: the schema requires `a`, which `additionalProperties: false` excludes",
  ],
  [
    "a schema with a word that is none of its own",
    stage("prompt: p\noutput: { type: object, propertis: {} }"),
    'flow.yaml:6:13: no usable schema: strict mode: unknown keyword: "propertis"',
  ],
  [
    "a variable that hides another",
    stage("each: { in: output, as: output, do: { prompt: p } }"),
    "flow.yaml:5:29: `as` must be letters, digits and `_`, and none of `inputs`, `stages`, `check`, `output`",
  ],
  [
    "a shape for an answer",
    stage("ask: Well?\noutput: { a: string }"),
    "flow.yaml:6:5: the answer to a question has no shape",
  ],
  [
    "no dollars",
    stage("prompt: p\nbudget: { usd: 0 }"),
    "flow.yaml:6:20: `usd` must be a number above 0",
  ],
];

test.each(BAD)("%s is refused where it stands", (_, text, problem) => {
  expect(faultIn(text)).toBe(problem);
});

test("whatever becomes of a file, it is read or refused in one line with its place", () => {
  const edit = fc.record({
    at: fc.nat(PLAN_BUILD_REVIEW.length),
    cut: fc.nat(12),
    put: fc.oneof(
      fc.constantFrom(
        "{",
        "}",
        "[",
        ":",
        "\n  ",
        "'",
        '"',
        "{{",
        "}}",
        "{%",
        "end",
        "- ",
        "&a ",
        "*a",
        "0",
        "null",
      ),
      fc.string({ maxLength: 4 }),
    ),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
      const text = edits.reduce(
        (before, { at, cut, put }) => before.slice(0, at) + put + before.slice(at + cut),
        PLAN_BUILD_REVIEW,
      );
      expect(faultIn(text)).toMatch(/^(no problem$|flow\.yaml:\d+:\d+: |flow\.yaml: )/);
    }),
    { numRuns: inTier(300, 20_000) },
  );
});
