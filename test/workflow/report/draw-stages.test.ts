import { expect, test } from "vitest";
import { readStageWorkflow } from "../../../src/workflow/definition/stage-file.ts";
import { drawMermaid, drawStages } from "../../../src/workflow/report/draw-stages.ts";
import { PLAN_BUILD_REVIEW } from "../example-stages.ts";

const workflow = readStageWorkflow(PLAN_BUILD_REVIEW, "feature.yaml");

test("stages are drawn for a terminal: what each does, must pass, and leads to", () => {
  expect(drawStages(workflow, 72)).toBe(`\
▶ plan     claude-code · prompt "Write a plan for {{ inputs.task }} int…
           check file PLAN.md
           → build
           otherwise → stuck
  build    prompt "Carry out PLAN.md. {{ check.output }}"
           check \`test\`, up to 3 attempts
           → review
           otherwise → stuck
  review   codex · fresh · prompt "Review the change against PLAN.md."
           gives approve, reasons
           entered at most 3 times
           output.approve → ship
           → build
           otherwise → stuck
  ship     ask "Ship it?"
           → release
           otherwise → stuck
  release  command \`release minor\`
           → end
           otherwise → stuck
  stuck    ask "What now?"
           "build" → build
           "give up" → end
`);
});

test("stages are drawn as a flowchart of Mermaid", () => {
  expect(drawMermaid(workflow)).toBe(`\
flowchart TD
  begin(( ))
  s0["plan<br/>claude-code"]
  s1["build"]
  s2["review<br/>codex"]
  s3{{"ship"}}
  s4[/"release"/]
  s5{{"stuck"}}
  done(("end"))
  begin --> s0
  s0 --> s1
  s0 -.->|"otherwise"| s5
  s1 --> s2
  s1 -.->|"otherwise"| s5
  s2 -->|"output.approve"| s3
  s2 --> s1
  s2 -.->|"otherwise"| s5
  s3 --> s4
  s3 -.->|"otherwise"| s5
  s4 --> done
  s4 -.->|"otherwise"| s5
  s5 -->|"#quot;build#quot;"| s1
  s5 -->|"#quot;give up#quot;"| done
`);
});

test("nothing that an author writes leaves its quotes or moves the cursor", () => {
  const odd = readStageWorkflow(
    `description: d
start: a
stages:
  a: { ask: "Well \\e[31m?", choices: { 'a "b" <c> | #d': end } }
`,
    "odd.yaml",
  );
  expect(drawMermaid(odd)).toContain(
    's0 -->|"#quot;a #quot;b#quot; #lt;c#gt; #124; #35;d#quot;"| done',
  );
  expect(drawStages(odd)).not.toContain("\x1b");
});

test("a list, a gate and another workflow say so", () => {
  const each = readStageWorkflow(
    `description: d
start: all
stages:
  all: { each: { in: output.files, as: file, do: { prompt: p }, isolate: worktree }, when: output.files, timeout: 90s, attempts: 2, next: sub }
  sub: { workflow: other }
`,
    "each.yaml",
  );
  expect(drawStages(each)).toBe(`\
▶ all  in a worktree · at most 90 s · each file in output.files, 4 at once: prompt "p"
       when output.files
       up to 2 attempts
       → sub
  sub  workflow other
       → end
`);
});
