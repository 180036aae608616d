// What the tour types. Each step is a real command line, run by the real program in a real folder.

export interface TourStep {
  readonly say: string;
  readonly adj: readonly string[];
  /** What is expected; anything else means the tour, or the program, is broken. */
  readonly exitCode: number;
}

export const PROJECT_FILES: Readonly<Record<string, string>> = {
  ".adjutant/commands/greet.ts": `import { defineCommand, ok, z } from "adjutant";

export default defineCommand({
  description: "Greet somebody",
  safety: "read_only",
  args: z.object({
    name: z.string().meta({ positional: 0, description: "whom to greet" }),
    loud: z.boolean().default(false),
  }),
  run: ({ name, loud }) => ok(loud ? \`HELLO \${name.toUpperCase()}!\` : \`hello \${name}\`),
});
`,
  ".adjutant/commands.yaml": `lines:
  description: Count the lines of files
  argv: [wc, -l]
  safety: read_only
env:
  description: This project's own env, in place of the bundled one
  argv: [echo, "shadowed by the project"]
  safety: read_only
wipe:
  description: Pretend to remove everything
  argv: [echo, gone]
  safety: destructive
`,
  ".adjutant/commands/onboard.md": `---
description: Explain this project to a newcomer
agent: replay
safety: read_only
inputs:
  reader: { description: who reads it, default: a newcomer }
---
Explain this project to {{ reader }} in five sentences.

@../../README.md
`,
  ".adjutant/hooks.yaml": `hooks:
  - name: no-lost-work
    on: before_tool
    match: { kind: shell }
    run: { builtin: git }
`,
  "README.md": "# Lighthouse\n\nA small project that the tour works in.\n",
  "notes.txt": "one\ntwo\nthree\n",
};

export const tourSteps = (hash: string): readonly TourStep[] => [
  {
    say: "A project brings its own commands, but a cloned repository runs nothing before you trust it:",
    adj: ["greet", "Ada"],
    exitCode: 126,
  },
  {
    say: "After a look at `adj trust --diff`, trust exactly this content (in a terminal it asks instead):",
    adj: ["trust", "--hash", hash],
    exitCode: 0,
  },
  {
    say: "A command in TypeScript, with typed arguments:",
    adj: ["greet", "Ada", "--loud"],
    exitCode: 0,
  },
  { say: "Wrong input gets one clear line:", adj: ["greet", "Ada", "--lout"], exitCode: 2 },
  {
    say: "A command that is just a program and its words:",
    adj: ["lines", "notes.txt"],
    exitCode: 0,
  },
  { say: "The project's `env` stands in place of the bundled one:", adj: ["env"], exitCode: 0 },
  {
    say: "A command that is a prompt; this is what would be sent, and how:",
    adj: ["onboard", "--reader", "Ada", "--dry-run"],
    exitCode: 0,
  },
  {
    say: "An agent at work (a recorded run, played in this folder: no account, no key, no model):",
    adj: ["agent", "run", "replay", "--cassette", "explain-repository"],
    exitCode: 0,
  },
  {
    say: "What it did, step by step; every agent's run leaves the same log:",
    adj: ["agent", "log"],
    exitCode: 0,
  },
  {
    say: "A guard on every agent's steps: what Claude Code is told when its model wants to force a push",
    adj: ["hooks", "test", "before_tool", "--command", "cd app && sudo git push --force"],
    exitCode: 126,
  },
  {
    say: "A command that exists only inside the agents: the model types it, Adjutant answers in place",
    adj: ["hooks", "test", "before_tool", "--command", "adj-greet Ada --loud"],
    exitCode: 0,
  },
  {
    say: "Which agent does the job best? Two recorded ones on six small repairs, each in a workspace of its own:",
    adj: ["bench", "suite/suite.yaml", "--repeat", "1"],
    exitCode: 0,
  },
  {
    say: "A destructive command needs a person's word, and here is nobody to ask:",
    adj: ["wipe"],
    exitCode: 126,
  },
  { say: "The same answer as data, for scripts:", adj: ["--json", "greet", "Ada"], exitCode: 0 },
  { say: "And everything that happened is on record:", adj: ["log"], exitCode: 0 },
];
