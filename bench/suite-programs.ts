// A ten-millisecond agent, as a bare loop and as suites of the built program.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ADJ = fileURLToPath(new URL("../dist/adj.cjs", import.meta.url));
export const LANES = availableParallelism();

export interface SuitePrograms {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** A program that waits so long and says a word. */
  readonly agent: string;
  writeSuite(name: string, suite: object): string;
  remove(): void;
}

export function openSuitePrograms(): SuitePrograms {
  const folder = mkdtempSync(join(tmpdir(), "adjutant-bench-"));
  const agent = join(folder, "agent.sh");
  writeFileSync(agent, '#!/bin/sh\nsleep "$1"\necho done\n');
  chmodSync(agent, 0o755);
  const template = join(folder, "template");
  mkdirSync(template);
  for (let file = 0; file < 20; file++)
    writeFileSync(join(template, `file-${file}.txt`), "line\n".repeat(200));
  return {
    folder,
    agent,
    env: {
      ...process.env,
      ADJ_CONFIG_DIR: join(folder, "config"),
      ADJ_STATE_DIR: join(folder, "state"),
    },
    writeSuite(name, suite) {
      const file = join(folder, `${name}.yaml`);
      writeFileSync(file, JSON.stringify({ name, ...suite }));
      return file;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function runProgram(
  [program = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000);
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} exited with ${code}: ${said}`);
}

/** The floor: the same program as often, as many at once, and nothing else. */
export const runBare = (
  { agent, env }: SuitePrograms,
  trials: number,
  lanes = LANES,
): Promise<void> =>
  runProgram(["sh", "-c", `seq ${trials} | xargs -P ${lanes} -I{} ${agent} 0.01`], env);

export const runSuite = ({ env }: SuitePrograms, file: string): Promise<void> =>
  runProgram([process.execPath, ADJ, "bench", file, "--fresh"], env);
