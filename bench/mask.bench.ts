// What masking costs a run that prints 100 MB: the same run with and without it, for each class of characters; and whether
// the scanner's own time grows with the text and nothing else.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireAdapter } from "../src/agents/roster.ts";
import { runAgent } from "../src/agents/run/run-agent.ts";
import { scanSecrets } from "../src/core/secrets/mask.ts";
import { interleave, report } from "./interleave.ts";

const MEGABYTES = 100;
const CLASSES: Readonly<Record<string, string>> = {
  blanks: " ",
  letters: "abcdefghijklmnopqrstuvwxyz0123456789",
  source: "  const token = readToken(file, options);\\n",
  JSON: '{"type":"text","key":"value","n":1}\\n',
  "a mark without end": "sk-",
};

const folder = mkdtempSync(join(tmpdir(), "adjutant-bench-"));
const adapter = await requireAdapter("command");
const env = { PATH: process.env.PATH ?? "" };
let runs = 0;

async function run(piece: string, isRaw: boolean): Promise<void> {
  runs += 1;
  const print = `const b = Buffer.alloc(1 << 20, "${piece.replaceAll('"', '\\"')}"); for (let i = 0; i < ${MEGABYTES}; i++) require("fs").writeSync(1, b)`;
  const config = { prompt: "x", argv: [process.execPath, "-e", print] };
  const place = { workspaceDir: folder, timeout: 0, env };
  const logDir = join(folder, `log-${runs}`);
  await runAgent(adapter, { config, ...place, runId: `bench-${runs}`, logDir }, { isRaw });
  rmSync(logDir, { recursive: true });
}

try {
  for (const [name, piece] of Object.entries(CLASSES)) {
    const timings = await interleave(
      [
        { name: "as it came", run: () => run(piece, true) },
        { name: "masked", run: () => run(piece, false) },
      ],
      5,
    );
    const bars = [{ of: "masked", against: "as it came", atMost: 1.2 }];
    report(`a run that prints ${MEGABYTES} MB of ${name}`, timings, bars);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

console.log("\nthe scanner alone, from 1 KB to 1 MB");
for (const [name, piece] of Object.entries(CLASSES)) {
  const speeds = [1, 32, 1024].map((kilobytes) => {
    const text = Buffer.alloc(kilobytes << 10, piece);
    const rounds = Math.ceil(8192 / kilobytes);
    scanSecrets(text, 0, true);
    const startedAt = performance.now();
    for (let round = 0; round < rounds; round += 1) scanSecrets(text, 0, true);
    return `${Math.round((rounds * text.length) / 1000 / (performance.now() - startedAt))} MB/s`;
  });
  console.log(`  ${name}: ${speeds.join(", ")}`);
}
