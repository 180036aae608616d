import type { LabAgent } from "../lab.ts";
// What works in which agent; each was seen in the pinned version.

/** The rows of the table in docs/hooks.md, in their order. */
export const ROWS = {
  deny: "a rule refuses a tool and the model is told why",
  exitTwo: "a program refuses it by exit code 2",
  claudeGuard: "a script written for Claude Code refuses it",
  rewrite: "the arguments are rewritten",
  claudeRewrite: "the same by a script written for Claude Code",
  context: "context is added",
  gate: "a turn goes on, with the reason as the next thing to do",
  served: "the same with `opencode serve`",
  virtual: "a virtual command is answered",
  pipeline: "a virtual command in a pipeline",
  prompt: "a virtual command as the prompt, without the model",
  veto: "a refusal holds against other hooks that allow or rewrite",
  smuggled: "our rules see what a later hook rewrites",
} as const;
export type RowName = keyof typeof ROWS;
export type Results = Readonly<Partial<Record<RowName, string>>>;

const USUAL: Readonly<Record<RowName, string>> = {
  deny: "yes",
  exitTwo: "yes",
  claudeGuard: "yes",
  rewrite: "yes",
  claudeRewrite: "yes",
  context: "yes",
  gate: "yes, 3 times",
  served: "–",
  virtual: "yes, the same bytes",
  pipeline: "yes",
  prompt: "yes",
  veto: "yes",
  smuggled: "no; `adj doctor` warns",
};

const NEW_ARGUMENTS = "refused, with the arguments to use";

/** Only what is not as usual. */
const ODD: Readonly<Record<LabAgent, Results>> = {
  "claude-code": {},
  codex: { pipeline: "told to type `adj run`", prompt: "goes to the model" },
  gemini: {
    context: "not at `before_tool`",
    virtual: "yes, the same bytes and a note that a hook changed the call",
  },
  opencode: {
    gate: "no, `opencode run` ends first",
    served: "yes, 3 times",
    prompt: "goes to the model",
  },
  copilot: {},
  qwen: {
    rewrite: NEW_ARGUMENTS,
    claudeRewrite: NEW_ARGUMENTS,
    context: "not at `before_tool`",
    virtual: "as the reason of a refusal",
    pipeline: "told to type `adj run`",
    prompt: "goes to the model",
    smuggled: "nobody can rewrite",
  },
};

export const expectedResults = (agent: LabAgent): Readonly<Record<RowName, string>> => ({
  ...USUAL,
  ...ODD[agent],
});
