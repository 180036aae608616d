// Reading an agent's stream into a log, against `JSON.parse` of the same lines; and whether it stays linear.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireAdapter } from "../src/agents/roster.ts";
import { normalizeOutput } from "../src/agents/run/output/read.ts";
import { runAgent } from "../src/agents/run/run-agent.ts";
import { runProcess } from "../src/core/process/run.ts";
import { interleave, report } from "./interleave.ts";

const RECORDINGS = join(import.meta.dirname, "../test/agents/run/fixtures/recordings");
const MEGABYTE = 1 << 20;

/** A recorded run whose middle is repeated until it has so many bytes. */
function stretch(folder: string, bytes: number): Buffer {
  const lines = readFileSync(join(RECORDINGS, folder, "b-shell", "stdout"), "utf8")
    .trimEnd()
    .split("\n");
  const [first = "", ...rest] = lines;
  const last = rest.pop() ?? "";
  const middle = `${rest.join("\n")}\n`;
  const times = Math.max(1, Math.ceil(bytes / Buffer.byteLength(middle)));
  return Buffer.from(`${first}\n${middle.repeat(times)}${last}\n`);
}

const parseLines = (stream: Buffer) => {
  for (const line of stream.toString().split("\n")) if (line !== "") JSON.parse(line);
};

for (const [agent, folder] of [
  ["claude-code", "claude-2.1.325"],
  ["codex", "codex"],
  ["gemini", "gemini"],
] as const) {
  const stream = stretch(folder, 8 * MEGABYTE);
  const adapter = await requireAdapter(agent);
  const timings = await interleave(
    [
      { name: "JSON.parse of the lines", run: () => parseLines(stream) },
      { name: "normalize", run: () => normalizeOutput(adapter, stream) },
    ],
    9,
  );
  report(`${agent}: ${(stream.length / MEGABYTE).toFixed(1)} MiB`, timings, [
    { of: "normalize", against: "JSON.parse of the lines", atMost: 2 },
  ]);
}

await measureGrowth();
await measureOverhead();

/** The same stream, longer and longer; in pieces, as it would come from a process. */
async function measureGrowth(): Promise<void> {
  console.log("\nlinear in size (claude-code)");
  const adapter = await requireAdapter("claude-code");
  const piece = stretch("claude-2.1.325", MEGABYTE);
  for (const megabytes of [1, 10, 100, 1000]) {
    const startedAt = performance.now();
    normalizeOutput(adapter, Array(megabytes).fill(piece));
    const seconds = (performance.now() - startedAt) / 1000;
    const resident = Math.round(process.memoryUsage.rss() / MEGABYTE);
    console.log(
      `  ${megabytes} MB: ${(megabytes / seconds).toFixed(0)} MB/s, ${resident} MiB resident`,
    );
  }
}

/** What a run costs over the bare process it starts. */
async function measureOverhead(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "adjutant-bench-"));
  const env = { PATH: process.env.PATH ?? "" };
  const adapter = await requireAdapter("command");
  const spec = { executable: "cat", args: [], env, cwd: folder };
  let run = 0;
  try {
    const timings = await interleave(
      [
        { name: "bare process", run: () => runProcess(spec, { stdin: "hello" }) },
        {
          name: "agent run",
          run: () =>
            runAgent(adapter, {
              config: { prompt: "hello", argv: ["cat"] },
              workspaceDir: folder,
              timeout: 0,
              env,
              runId: `bench-${run++}`,
              logDir: join(folder, `log-${run}`),
            }),
        },
      ],
      40,
    );
    report("overhead of a run", timings, [{ of: "agent run", against: "bare process", atMost: 3 }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
