// A real folder with files in it, and the world a body is assembled in there.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault, formatFault } from "../../../src/core/command/fault.ts";
import { type AssembledPrompt, assembleBody } from "../../../src/markdown/body/assemble.ts";
import type { BodyContext } from "../../../src/markdown/body/context.ts";
import { readGitBranch } from "../../../src/markdown/body/git.ts";
import { createInlineRunner } from "../../../src/markdown/body/inline-commands.ts";
import { parseBody } from "../../../src/markdown/body/parse.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Place {
  readonly folder: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Writes files below the project. */
  write(files: Files): void;
  world(changes?: Partial<BodyContext>): BodyContext;
  assemble(text: string, changes?: Partial<BodyContext>): Promise<AssembledPrompt>;
  prompt(text: string, changes?: Partial<BodyContext>): Promise<string>;
  /** The line a person reads when it fails. */
  problem(text: string, changes?: Partial<BodyContext>): Promise<string>;
}

/** The command's file is `project/commands/review.md`, its body begins at line 5. */
export function makePlace(files: Files = {}): Place {
  const folder = temporaryFolder("adjutant-body-");
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
  const world = (changes: Partial<BodyContext> = {}): BodyContext => ({
    variables: {},
    readBranch: () => readGitBranch({ cwd: project, environment, signal }),
    appendedStdin: null,
    file: join(project, "commands/review.md"),
    folder: join(project, "commands"),
    agentFolder: join(project, "commands"),
    home: folder,
    ownFolders: [project],
    importPermission: () => false,
    urls: { hosts: [], lockFile: join(folder, "imports.lock"), acceptChange: () => false },
    runInline: createInlineRunner({ cwd: project, environment }),
    environment,
    signal,
    ...changes,
  });
  const assemble = async (text: string, changes?: Partial<BodyContext>) =>
    assembleBody(parseBody(text, { file: "review.md", line: 5 }), world(changes));
  const prompt = async (text: string, changes?: Partial<BodyContext>) =>
    (await assemble(text, changes)).prompt;
  const problem = (text: string, changes?: Partial<BodyContext>) =>
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
