import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { joinWords } from "../../command/words.ts";
import { hashProject } from "../../config/trust-approval.ts";
import { runProcess } from "../../process/run-process.ts";
import { PROJECT_FILES, type TourStep, tourSteps } from "./tour-steps.ts";

export interface TourSurroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly show: (text: string) => Promise<void>;
}

/** Types every step into the real program, in a project and a profile of their own that end with it. */
export async function takeTour(
  entry: readonly string[],
  { env, signal, show }: TourSurroundings,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "adjutant-tour-"));
  const shown: string[] = [];
  const say = async (text: string) => {
    shown.push(text);
    await show(text);
  };
  try {
    const project = await makeProject(folder);
    const profile = {
      ...env,
      ADJ_STATE_DIR: join(folder, "state"),
      ADJ_CONFIG_DIR: join(folder, "config"),
    };
    for (const step of tourSteps(await hashProject(project))) {
      await say(`${step.say}\n\n  $ adj ${joinWords(step.adj)}\n`);
      await say(indent(await takeStep(step, { entry, project, env: profile, signal })));
      await say("\n");
    }
    await say(
      "That was the tour. Make a command of your own with `adj new NAME --ts`, see all with `adj help`.\n",
    );
    return shown.join("");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeProject(folder: string): Promise<string> {
  const project = join(folder, "project");
  const { readBenchFiles } = await import("./bench-files.ts");
  const suite = Object.entries(readBenchFiles()).map(([path, text]) => [`suite/${path}`, text]);
  const files: Readonly<Record<string, string>> = {
    ...PROJECT_FILES,
    ...Object.fromEntries(suite),
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  return project;
}

interface StepPlace {
  readonly entry: readonly string[];
  readonly project: string;
  readonly env: Record<string, string>;
  readonly signal: AbortSignal;
}

async function takeStep(
  step: TourStep,
  { entry, project, env, signal }: StepPlace,
): Promise<string> {
  const [executable = "", ...first] = entry;
  const { ADJ_SESSION_ID: _, ...own } = env;
  const spec = { executable, args: [...first, ...step.adj], env: own, cwd: project };
  const chunks: Uint8Array[] = [];
  const ending = await runProcess(spec, {
    signal,
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

const indent = (text: string): string => text.replace(/^(?=.)/gm, "  ");
