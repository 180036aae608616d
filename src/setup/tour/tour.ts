// The tour: what it types, and how. Each step is a real command line, run by the real program in a real folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { joinWords } from "../../core/command/words.ts";
import { runProcess } from "../../core/process/run.ts";
import { hashProject } from "../../core/project/trust/approval.ts";

interface TourOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly show: (text: string) => Promise<void>;
}

/** Types every step into the real program, in a project and a profile of their own that end with it. */
export async function takeTour(
  entry: readonly string[],
  { env, signal, show }: TourOptions,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "adjutant-tour-"));
  const shown: string[] = [];
  const print = async (text: string) => {
    shown.push(text);
    await show(text);
  };
  try {
    const project = await makeProject(folder);
    const profile = {
      ...env,
      ADJ_STATE_DIR: join(folder, "state"),
      ADJ_CONFIG_DIR: join(folder, "config"),
      // With the mark of the person's own guards in it, a configuration without them would be one that was taken away.
      ADJ_DATA_DIR: join(folder, "data"),
      // A host of sessions would stay behind.
      ADJ_HOST: "off",
    };
    for (const step of tourSteps(await hashProject(project))) {
      await print(`${step.text}\n\n  $ ${showLine(step)}\n`);
      await print(indent(await takeStep(step, { entry, project, env: profile, signal })));
      await print("\n");
    }
    await print(
      "That was the tour. Make a command of your own with `adj new NAME --ts`, see all with `adj help`.\n",
    );
    return shown.join("");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeProject(folder: string): Promise<string> {
  const project = join(folder, "project");
  const { readExampleFiles } = await import("./example-files.ts");
  const files = { ...PROJECT_FILES, ...readExampleFiles() };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  return project;
}

interface TourStepOptions {
  readonly entry: readonly string[];
  readonly project: string;
  readonly env: Record<string, string>;
  readonly signal: AbortSignal;
}

async function takeStep(
  step: TourStep,
  { entry, project, env, signal }: TourStepOptions,
): Promise<string> {
  const [executable = "", ...first] = entry;
  const { ADJ_SESSION_ID: _, ...own } = env;
  const spec = { executable, args: [...first, ...step.adj], env: own, cwd: project };
  const chunks: Uint8Array[] = [];
  const ending = await runProcess(spec, {
    signal,
    ...(step.typed === undefined ? {} : { stdin: typedText(step.typed) }),
    // As a person would see it: both channels, in the order they came.
    onChunk: (_, bytes) => void chunks.push(bytes),
  });
  const text = Buffer.concat(chunks).toString();
  const exitCode = ending.kind === "exited" ? ending.exitCode : null;
  if (exitCode !== step.exitCode)
    throw new Error(
      `the tour's \`adj ${joinWords(step.adj)}\` ended with ${exitCode ?? ending.kind}: ${text}`,
    );
  return text;
}

const typedText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** As a person would type it. */
function showLine({ adj, typed }: TourStep): string {
  const line = `adj ${joinWords(adj)}`;
  return typed === undefined ? line : `printf '%s\\n' ${joinWords(typed)} | ${line}`;
}

const indent = (text: string): string => text.replace(/^(?=.)/gm, "  ");

interface TourStep {
  readonly text: string;
  readonly adj: readonly string[];
  /** Lines that are piped into it. */
  readonly typed?: readonly string[];
  /** What is expected; anything else means the tour, or the program, is broken. */
  readonly exitCode: number;
}

const PROJECT_FILES: Readonly<Record<string, string>> = {
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
    text: "A project brings its own commands, but a cloned repository runs nothing before you trust it:",
    adj: ["greet", "Ada"],
    exitCode: 126,
  },
  {
    text: "After a look at `adj trust --diff`, trust exactly this content (in a terminal it asks instead):",
    adj: ["trust", "--hash", hash],
    exitCode: 0,
  },
  {
    text: "A command in TypeScript, with typed arguments:",
    adj: ["greet", "Ada", "--loud"],
    exitCode: 0,
  },
  { text: "Wrong input gets one clear line:", adj: ["greet", "Ada", "--lout"], exitCode: 2 },
  {
    text: "A command that is just a program and its words:",
    adj: ["lines", "notes.txt"],
    exitCode: 0,
  },
  { text: "The project's `env` stands in place of the bundled one:", adj: ["env"], exitCode: 0 },
  {
    text: "A command that is a prompt; this is what would be sent, and how:",
    adj: ["onboard", "--reader", "Ada", "--dry-run"],
    exitCode: 0,
  },
  {
    text: "An agent at work (a recorded run, played in this folder: no account, no key, no model):",
    adj: ["agent", "run", "replay", "--cassette", "explain-repository"],
    exitCode: 0,
  },
  {
    text: "What it did, step by step; every agent's run leaves the same log:",
    adj: ["agent", "log"],
    exitCode: 0,
  },
  {
    text: "A session with an agent, line by line (`adj console --agent replay` in a terminal is a screen, and asks before it writes):",
    adj: ["console", "--agent", "replay"],
    typed: ["My name is Ada.", "/mode", "Do you know me?"],
    exitCode: 0,
  },
  {
    text: "A guard on every agent's steps: what Claude Code is told when its model wants to force a push",
    adj: ["hooks", "test", "before_tool", "--command", "cd app && sudo git push --force"],
    exitCode: 126,
  },
  {
    text: "A command that exists only inside the agents: the model types it, Adjutant answers in place",
    adj: ["hooks", "test", "before_tool", "--command", "adj-greet Ada --loud"],
    exitCode: 0,
  },
  {
    text: "Many steps as one file: two reviewers look at each file, a third confirms; what is finished is never run again",
    adj: [
      "workflow",
      "run",
      "review-panel",
      "--args",
      '{"files": ["src/greet.mjs", "src/log.mjs"]}',
    ],
    exitCode: 0,
  },
  {
    text: "Which agent does the job best? Two recorded ones on six small repairs, each in a workspace of its own:",
    adj: ["bench", "suite/suite.yaml", "--repeat", "1"],
    exitCode: 0,
  },
  {
    text: "A destructive command needs a person's word, and here is nobody to ask:",
    adj: ["wipe"],
    exitCode: 126,
  },
  { text: "The same answer as data, for scripts:", adj: ["--json", "greet", "Ada"], exitCode: 0 },
  {
    text: "And everything that happened is on record; how each command ended:",
    adj: ["log", "--type", "CommandResulted"],
    exitCode: 0,
  },
];
