// This checkout against another one, both built: the same calls in turn, by the clock and by the processor time of the
// children. `ADJ_BENCH_AGAINST=../adjutant-0.1.0 npm run bench -- versions`; without the variable there is nothing to do.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { interleave } from "./interleave.ts";

const ROUNDS = Number(process.env.ADJ_BENCH_ROUNDS ?? 200);
const CALLS: Record<string, readonly string[]> = {
  "--version": ["--version"],
  model: ["model"],
  env: ["env"],
  "agent list": ["agent", "list"],
  "commands of 10": ["commands"],
  "dispatch of 10": ["say-7"],
  "hook, cold": ["hook", "claude-code"],
};
const folder = realpathSync(mkdtempSync(join(tmpdir(), "adjutant-bench-")));
const payload = JSON.stringify({
  session_id: "bench",
  transcript_path: join(folder, "transcript.jsonl"),
  cwd: folder,
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: `echo ${"a".repeat(750)}` },
  tool_use_id: "toolu_bench",
});

/** A home of the checkout's own with ten commands, in which every call was made before. */
function openCheckout(name: string, root: string) {
  const home = join(folder, name);
  const configDir = join(home, "config");
  mkdirSync(join(configDir, "commands"), { recursive: true });
  for (let number = 0; number < 10; number++)
    writeFileSync(
      join(configDir, "commands", `say-${number}.js`),
      `export default { description: "Say ${number}", safety: "read_only", run: () => ({ success: true, output: "${number}", errorOutput: null, exitCode: 0, metadata: null }) };\n`,
    );
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ADJ_CONFIG_DIR: configDir,
    ADJ_STATE_DIR: join(home, "state"),
    ADJ_DATA_DIR: join(home, "data"),
    ADJ_RESIDENT: "off",
  };
  return (args: readonly string[]): void => {
    const options = { env, cwd: folder, input: args[0] === "hook" ? payload : "" };
    const { status, stderr } = spawnSync(join(root, "bin", "adj"), args, options);
    if (status !== 0) throw new Error(`${name}: adj ${args.join(" ")} failed: ${stderr}`);
  };
}

/** Processor time of the children that have ended, in ticks of 10 ms: a sum over many calls is exact enough. */
function childTicks(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[13]) + Number(fields[14]);
}

async function compare(other: string): Promise<void> {
  const here = openCheckout("here", join(import.meta.dirname, ".."));
  const there = openCheckout("there", resolve(other));
  console.log(
    `\nthis checkout against ${other}, ${ROUNDS} rounds: median by the clock, mean by processor time`,
  );
  for (const [name, args] of Object.entries(CALLS)) {
    const ticks = { here: 0, there: 0 };
    const timed = (side: keyof typeof ticks, call: typeof here) => () => {
      const before = childTicks();
      call(args);
      ticks[side] += childTicks() - before;
    };
    const [own, its] = await interleave(
      [
        { name: "here", run: timed("here", here) },
        { name: "there", run: timed("there", there) },
      ],
      ROUNDS,
    );
    if (own === undefined || its === undefined) throw new Error("nothing was measured");
    const usedOf = (side: keyof typeof ticks) => ((ticks[side] * 10) / (ROUNDS + 1)).toFixed(1);
    console.log(
      `  ${name.padEnd(16)} ${own.p50.toFixed(1)} / ${its.p50.toFixed(1)} ms = ${(own.p50 / its.p50).toFixed(2)}   CPU ${usedOf("here")} / ${usedOf("there")} ms = ${(ticks.here / ticks.there).toFixed(2)}`,
    );
  }
}

try {
  const other = process.env.ADJ_BENCH_AGAINST;
  if (other === undefined)
    console.log("set ADJ_BENCH_AGAINST to the folder of another built checkout");
  else await compare(other);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
