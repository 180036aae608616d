// What masking costs a run that prints 100 MB: the same run with and without it, for each class of characters; and whether
// the scanner's own time grows with the text and nothing else.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireAdapter } from "../src/agents/roster.ts";
import { runAgent } from "../src/agents/run/run-agent.ts";
import { scanSecrets } from "../src/core/secrets/mask.ts";
import { interleave, report } from "./interleave.ts";

const MEGABYTES = 100;
const MEGABYTE = 1 << 20;
const SOURCES = ["src/agents", "src/core/shell", "src/hooks/builtins"];
const fill = (piece: string): Buffer => Buffer.alloc(MEGABYTE, piece);
/** What repeats itself within a few bytes, then what does not, with line ends and without. */
const CLASSES: Readonly<Record<string, Buffer>> = {
  blanks: fill(" "),
  letters: fill("abcdefghijklmnopqrstuvwxyz0123456789"),
  "one line of source": fill("  const token = readToken(file, options);\n"),
  JSON: fill('{"type":"text","key":"value","n":1}\n'),
  "a mark without end": fill("sk-"),
  "a header without end": fill("Bearer "),
  "a name without end": fill("api_key: "),
  source: fill(readSources()),
  "base64 without line ends": fill(randomBytes(MEGABYTE).toString("base64")),
  "random bytes": randomBytes(MEGABYTE),
};

function readSources(): string {
  const root = join(import.meta.dirname, "..");
  const files = SOURCES.flatMap((path) =>
    readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(root, path, name)),
  );
  return files.map((file) => readFileSync(file, "utf8")).join("");
}

const folder = mkdtempSync(join(tmpdir(), "adjutant-bench-"));
const adapter = await requireAdapter("command");
const env = { PATH: process.env.PATH ?? "" };
let runs = 0;

const sample = join(folder, "sample");
const print = `const fs = require("fs"); const b = fs.readFileSync(${JSON.stringify(sample)}); for (let i = 0; i < ${MEGABYTES}; i++) for (let at = 0; at < b.length;) at += fs.writeSync(1, b, at)`;

async function run(isRaw: boolean): Promise<void> {
  runs += 1;
  const config = { prompt: "x", argv: [process.execPath, "-e", print] };
  const place = { workspaceDir: folder, timeout: 0, env };
  const logDir = join(folder, `log-${runs}`);
  await runAgent(adapter, { config, ...place, runId: `bench-${runs}`, logDir }, { isRaw });
  rmSync(logDir, { recursive: true });
}

try {
  for (const [name, bytes] of Object.entries(CLASSES)) {
    writeFileSync(sample, bytes);
    const timings = await interleave(
      [
        { name: "as it came", run: () => run(true) },
        { name: "masked", run: () => run(false) },
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
for (const [name, bytes] of Object.entries(CLASSES)) {
  const speeds = [1, 32, 1024].map((kilobytes) => {
    const text = bytes.subarray(0, kilobytes << 10);
    const rounds = Math.ceil(8192 / kilobytes);
    scanSecrets(text, 0, true);
    const startedAt = performance.now();
    for (let round = 0; round < rounds; round += 1) scanSecrets(text, 0, true);
    return `${Math.round((rounds * text.length) / 1000 / (performance.now() - startedAt))} MB/s`;
  });
  console.log(`  ${name}: ${speeds.join(", ")}`);
}
