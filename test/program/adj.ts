// The built program in a home of its own: what a user would see, whole.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

const ADJ = join(import.meta.dirname, "..", "..", "bin", "adj");

export interface Printed {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Home {
  readonly folder: string;
  readonly project: string;
  readonly stateDir: string;
  readonly configDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Writes files below the home's folder. */
  write(files: Readonly<Record<string, string>>): void;
  adj(...words: string[]): Promise<Printed>;
  /** Trusts the project as it is now. */
  trust(): Promise<void>;
}

export function makeHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), "adjutant-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [project, stateDir, configDir] = ["project", "state", "config"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  mkdirSync(project);
  // Not the tester's own environment: it may be an agent's, where nothing can be granted.
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    XDG_CACHE_HOME: join(tmpdir(), "adjutant-test-cache"),
    ADJ_STATE_DIR: stateDir,
    ADJ_CONFIG_DIR: configDir,
  };
  const home: Home = {
    folder,
    project,
    stateDir,
    configDir,
    env,
    write: (files) => {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
    },
    adj: (...words) => run(ADJ, words, { cwd: project, env }),
    trust: async () => {
      const shown = await home.adj("--json", "trust", "--diff");
      const { hash } = JSON.parse(shown.stdout).result.metadata;
      const trusted = await home.adj("trust", "--hash", hash);
      if (trusted.exitCode !== 0) throw new Error(trusted.stderr);
    },
  };
  return home;
}

export async function run(
  program: string,
  words: readonly string[],
  { cwd, env, stdin = "" }: { cwd: string; env: NodeJS.ProcessEnv; stdin?: string },
): Promise<Printed> {
  const child = spawn(program, words, { cwd, env, stdio: "pipe" });
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout.on("data", (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.stderr.push(chunk));
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  const [exitCode, signal] = await once(child, "close");
  return {
    exitCode,
    signal,
    stdout: Buffer.concat(chunks.stdout).toString(),
    stderr: Buffer.concat(chunks.stderr).toString(),
  };
}
