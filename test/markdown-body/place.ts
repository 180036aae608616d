// A real folder with files in it, and the world a body is assembled in there.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { Fault, formatFault } from "../../src/command/fault.ts";
import { type Assembled, assembleBody } from "../../src/markdown/body/assemble-body.ts";
import { createInlineRunner } from "../../src/markdown/body/commands/inline-runner.ts";
import { readBranch } from "../../src/markdown/body/git-branch.ts";
import { parseBody } from "../../src/markdown/body/parse-body.ts";
import type { World } from "../../src/markdown/body/world.ts";

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Place {
  readonly folder: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Writes files below the project. */
  write(files: Files): void;
  world(changes?: Partial<World>): World;
  assemble(text: string, changes?: Partial<World>): Promise<Assembled>;
  prompt(text: string, changes?: Partial<World>): Promise<string>;
  /** The line a person reads when it fails. */
  problem(text: string, changes?: Partial<World>): Promise<string>;
}

/** The command's file is `project/commands/review.md`, its body begins at line 5. */
export function makePlace(files: Files = {}): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "adjutant-body-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  const environment = { PATH: process.env.PATH ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  const write = (more: Files) => {
    for (const [name, content] of Object.entries(more)) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), content);
    }
  };
  write({ "commands/review.md": "the command itself", ...files });
  const signal = new AbortController().signal;
  const world = (changes: Partial<World> = {}): World => ({
    variables: {},
    readBranch: () => readBranch({ cwd: project, environment, signal }),
    appendedStdin: null,
    file: join(project, "commands/review.md"),
    folder: join(project, "commands"),
    home: folder,
    ownFolders: [project],
    importPermission: () => false,
    urls: { hosts: [], lockFile: join(folder, "imports.lock"), acceptChange: () => false },
    runInline: createInlineRunner({ cwd: project, environment }),
    environment,
    signal,
    ...changes,
  });
  const assemble = async (text: string, changes?: Partial<World>) =>
    assembleBody(parseBody(text, { file: "review.md", line: 5 }), world(changes));
  const prompt = async (text: string, changes?: Partial<World>) =>
    (await assemble(text, changes)).prompt;
  const problem = (text: string, changes?: Partial<World>) =>
    prompt(text, changes).then((made) => `no problem: ${made}`, sayProblem);
  return { folder, project, environment, write, world, assemble, prompt, problem };
}

export function sayProblem(error: unknown): string {
  if (!(error instanceof Fault)) throw error;
  return formatFault(error);
}

export const parse = (text: string) => parseBody(text, { file: "review.md", line: 5 });

export function parseProblem(text: string): string {
  try {
    parse(text);
  } catch (error) {
    return sayProblem(error);
  }
  return "no problem";
}
