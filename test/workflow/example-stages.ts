/** The workflow that the documentation begins with. */
export const PLAN_BUILD_REVIEW = `description: Plan, build, prove, review
inputs: { task: { description: what to build } }
requires: [tools]
start: plan
stages:
  plan:
    agent: claude-code
    prompt: "Write a plan for {{ inputs.task }} into PLAN.md. Change nothing else."
    tools: { allow: [read, search, { kind: write, path: PLAN.md }] }
    check: { file: PLAN.md }
    next: build
    otherwise: stuck
  build:
    prompt: "Carry out PLAN.md. {{ check.output }}"
    check: { command: test }              # exit 0; else the stage acts again with the output, up to \`attempts\`
    attempts: 3
    next: review
    otherwise: stuck
  review:
    agent: codex
    conversation: fresh
    prompt: "Review the change against PLAN.md."
    output: { approve: boolean, reasons: [string] }
    visits: 3
    next: [ { when: output.approve, to: ship }, { to: build } ]
    otherwise: stuck
  ship:    { ask: "Ship it?", next: release, otherwise: stuck }
  release: { command: release minor, otherwise: stuck }
  stuck:   { ask: "What now?", choices: { build: build, give up: end } }
`;
