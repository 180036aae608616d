// What masking costs a run that prints 100 MB: the same run with and without it, for each class of characters and for the
// mark that is slowest when it repeats itself; and whether the scanner's own time grows with the text and nothing else.
// `ADJ_BENCH_ONLY=base64` for the classes whose names begin so.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireAdapter } from "../src/agents/roster.ts";
import { runAgent } from "../src/agents/run/run-agent.ts";
import { scanSecrets } from "../src/core/secrets/mask.ts";
import { createNamedForms } from "../src/core/secrets/named-values.ts";
import { createSurroundedForms } from "../src/core/secrets/surrounded-forms.ts";
import { createVendorForms } from "../src/core/secrets/vendor-forms.ts";
import { interleave, report } from "./interleave.ts";

const MEGABYTES = 100;
const MEGABYTE = 1 << 20;
const SOURCES = ["src/agents", "src/core/shell", "src/hooks/builtins"];
const fill = (piece: string): Buffer => Buffer.alloc(MEGABYTE, piece);
/** What repeats itself within a few bytes, then what does not, with line ends and without. */
const CLASSES: Record<string, Buffer> = {
  blanks: fill(" "),
  letters: fill("abcdefghijklmnopqrstuvwxyz0123456789"),
  "one line of source": fill("  const token = readToken(file, options);\n"),
  JSON: fill('{"type":"text","key":"value","n":1}\n'),
  "a mark without end": fill("sk-"),
  "a header without end": fill("Bearer "),
  "a name without end": fill("api_key: "),
  source: fill(readSources()),
  "JSON without a repeat": fill(drawRecords()),
  digits: fill(BigInt(`0x${randomBytes(MEGABYTE >> 4).toString("hex")}`).toString()),
  hex: fill(randomBytes(MEGABYTE / 2).toString("hex")),
  "base64 without line ends": fill(randomBytes(MEGABYTE).toString("base64")),
  "random bytes": randomBytes(MEGABYTE),
  "lines of passwords": fill(drawLines("password=", "\n")),
  "lines of tokens": fill(drawLines("token: ", "\n")),
  "keys without line ends": fill(drawLines("sk-ant-", " ")),
  "names in one run": fill(drawLines("KEY", "")),
  "key blocks": fill(drawKeyBlocks()),
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

function drawRecords(): string {
  const draw = (size: number) => randomBytes(size).toString("base64url");
  const records = Array.from({ length: 8192 }, (_, number) => ({
    type: "message",
    id: `msg_${draw(12)}`,
    usage: { input_tokens: number, output_tokens: number * 7 },
    content: [{ type: "text", text: `Line ${number} of "${draw(6)}"\nand the next` }],
  }));
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** The same mark again and again, each time before something else: what no repeat helps over. */
function drawLines(mark: string, end: string): string {
  const draw = (size: number) => randomBytes(size).toString("base64url");
  return Array.from({ length: 1 << 16 }, (_, number) => mark + draw(3 + (number % 20)) + end).join(
    "",
  );
}

/** Key after key, which is all one run of what a key's lines are made of. */
function drawKeyBlocks(): string {
  const drawLine = () => randomBytes(48).toString("base64");
  const label = "RSA PRIVATE KEY-----";
  return Array.from({ length: 640 }, () =>
    [`-----BEGIN ${label}`, ...Array.from({ length: 25 }, drawLine), `-----END ${label}\n`].join(
      "\n",
    ),
  ).join("");
}

const WARM_UP_ROUNDS = 10;
const speedOf = (bytes: Buffer, took: number): number => Math.round(bytes.length / 1000 / took);

/** Each form's own mark without end, alone and as a name; the slowest joins the classes. */
function measureMarks(): void {
  const forms = [...createVendorForms(), ...createSurroundedForms(), ...createNamedForms()];
  const marks = new Set(forms.map(({ mark }) => mark.map((set) => set.charAt(0)).join("")));
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
    for (const bytes of Object.values(CLASSES)) scanSecrets(bytes, 0, false);
  const measured = [...marks].flatMap((mark) =>
    [mark, `${mark}: `].map((piece) => {
      const bytes = fill(piece);
      const took = [1, 2, 3].map(() => {
        const startedAt = performance.now();
        scanSecrets(bytes, 0, false);
        return performance.now() - startedAt;
      });
      return { piece, bytes, speed: speedOf(bytes, Math.min(...took)) };
    }),
  );
  measured.sort((a, b) => a.speed - b.speed);
  const shown = measured.slice(0, 5).map(({ piece, speed }) => `${piece} ${speed} MB/s`);
  const middle = measured[measured.length >> 1]?.speed;
  console.log(
    `\n${measured.length} marks without end: half of them over ${middle} MB/s; the slowest:`,
  );
  console.log(`  ${shown.join(", ")}`);
  const [slowest] = measured;
  if (slowest !== undefined) CLASSES[`the slowest mark, ${slowest.piece}`] = slowest.bytes;
}

const folder = mkdtempSync(join(tmpdir(), "adjutant-bench-"));
const adapter = await requireAdapter("command");
const env = { PATH: process.env.PATH ?? "" };
let runs = 0;

const sample = join(folder, "sample");
const print = `const fs = require("fs"); const b = fs.readFileSync(${JSON.stringify(sample)}); for (let i = 0; i < ${MEGABYTES}; i++) for (let at = 0; at < b.length;) at += fs.writeSync(1, b, at)`;

/** What this process itself used, in milliseconds, by whether it masked: other programs of the machine do not change it. */
const used: Record<"masked" | "raw", number[]> = { masked: [], raw: [] };

async function run(isRaw: boolean): Promise<void> {
  runs += 1;
  const before = process.cpuUsage();
  const config = { prompt: "x", argv: [process.execPath, "-e", print] };
  const place = { workspaceDir: folder, timeout: 0, env };
  const logDir = join(folder, `log-${runs}`);
  await runAgent(adapter, { config, ...place, runId: `bench-${runs}`, logDir }, { isRaw });
  const { user, system } = process.cpuUsage(before);
  used[isRaw ? "raw" : "masked"].push((user + system) / 1000);
  rmSync(logDir, { recursive: true });
}

function reportUsed(): void {
  const middleOf = (samples: number[]) => samples.sort((a, b) => a - b)[samples.length >> 1] ?? 0;
  const [raw, masked] = [middleOf(used.raw), middleOf(used.masked)];
  console.log(
    `  by CPU: ${masked.toFixed(0)} / ${raw.toFixed(0)} ms = ${(masked / raw).toFixed(2)}`,
  );
  used.raw = [];
  used.masked = [];
}

measureMarks();
const asked = process.env.ADJ_BENCH_ONLY;
try {
  for (const [name, bytes] of Object.entries(CLASSES)) {
    if (asked !== undefined && !name.startsWith(asked)) continue;
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
    reportUsed();
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
    return `${speedOf(text, (performance.now() - startedAt) / rounds)} MB/s`;
  });
  console.log(`  ${name}: ${speeds.join(", ")}`);
}
