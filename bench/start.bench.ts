// What it costs to start `adj`, against `node -e 0` of the same Node; and with 10 against 10,000 commands.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interleave, report } from "./interleave.ts";

const ADJ = join(import.meta.dirname, "..", "bin", "adj");
const folder = mkdtempSync(join(tmpdir(), "adjutant-bench-"));

function makeProfile(name: string, count: number): NodeJS.ProcessEnv {
  const configDir = join(folder, name, "config");
  mkdirSync(join(configDir, "commands"), { recursive: true });
  for (let number = 0; number < count; number++)
    writeFileSync(
      join(configDir, "commands", `say-${number}.js`),
      `export default { description: "Say ${number}", safety: "read_only", run: () => ({ success: true, output: "${number}", errorOutput: null, exitCode: 0, metadata: null }) };\n`,
    );
  const env = {
    ...process.env,
    ADJ_CONFIG_DIR: configDir,
    ADJ_STATE_DIR: join(folder, name, "state"),
  };
  // Fills the index and the compile cache.
  execFileSync(ADJ, ["commands"], { env, cwd: folder, maxBuffer: 1 << 28 });
  return env;
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const { status, stderr } = spawnSync(program, args, { env, cwd: folder, maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${stderr}`);
}

try {
  const few = makeProfile("few", 10);
  const many = makeProfile("many", 10_000);
  const timings = await interleave(
    [
      { name: "node -e 0", run: () => run(process.execPath, ["-e", "0"], few) },
      { name: "adj --version", run: () => run(ADJ, ["--version"], few) },
      { name: "adj model", run: () => run(ADJ, ["model"], few) },
      { name: "dispatch of 10", run: () => run(ADJ, ["say-7"], few) },
      { name: "dispatch of 10,000", run: () => run(ADJ, ["say-7"], many) },
      { name: "list of 10", run: () => run(ADJ, ["commands"], few) },
      { name: "list of 10,000", run: () => run(ADJ, ["commands"], many) },
    ],
    Number(process.env.ADJ_BENCH_ROUNDS ?? 40),
  );
  report("start-up", timings, [
    { of: "adj --version", against: "node -e 0", atMost: 1.5 },
    { of: "adj model", against: "node -e 0", atMost: 2.5 },
    { of: "dispatch of 10,000", against: "dispatch of 10", atMost: 2 },
    { of: "list of 10,000", against: "list of 10", atMost: 2 },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
