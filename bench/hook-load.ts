// The resident under 1,000 calls a second over its socket, sent on the clock whether or not it keeps up.
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { ResidentAddress } from "../src/hooks/resident/address.ts";

interface Load {
  readonly address: ResidentAddress;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly payload: string;
  readonly seconds: number;
}

const PER_SECOND = 1_000;
const TICK_MS = 10;
const WARM_UP_SECONDS = 5;

/** Prints errors, p99 and how much its memory grew. */
export async function measureLoad(load: Load): Promise<void> {
  const { address, seconds } = load;
  await sendFor(load, WARM_UP_SECONDS);
  const before = residentMegabytes(address.owner.pid);
  const { took, errors } = await sendFor(load, seconds);
  await pause(500);
  const grown = residentMegabytes(address.owner.pid) - before;
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  const verdict = (isHeld: boolean) => (isHeld ? "holds" : "MISSED");
  console.log(
    `\nthe resident under ${PER_SECOND} calls/s for ${seconds} s (${took.length} answered)`,
  );
  console.log(`  p50 ${at(0.5).toFixed(2)} ms  p95 ${at(0.95).toFixed(2)} ms`);
  console.log(`  errors ${errors} (at most 0) ${verdict(errors === 0)}`);
  console.log(`  p99 ${at(0.99).toFixed(2)} ms (at most 20) ${verdict(at(0.99) <= 20)}`);
  console.log(`  memory grew ${grown.toFixed(1)} MB (at most 20) ${verdict(grown <= 20)}`);
}

async function sendFor(load: Load, seconds: number) {
  const bytes = frameOf(load);
  const took: number[] = [];
  const calls: Promise<void>[] = [];
  let errors = 0;
  const startedAt = performance.now();
  for (let sent = 0; sent < seconds * PER_SECOND; ) {
    const due = Math.min(
      seconds * PER_SECOND,
      ((performance.now() - startedAt) / 1_000) * PER_SECOND,
    );
    for (; sent < due; sent++)
      calls.push(
        call(load.address, bytes).then(
          (milliseconds) => void took.push(milliseconds),
          () => {
            errors += 1;
          },
        ),
      );
    await pause(TICK_MS);
  }
  await Promise.all(calls);
  return { took, errors };
}

function frameOf({ address, cwd, env, payload }: Load): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const size = String(Buffer.byteLength(payload));
  const head = ["ADJ1", address.clientKey, "claude-code", cwd, size, String(variables.length)];
  return [...head, ...variables, payload].map((field) => `${field}\0`).join("");
}

async function call({ port, serverKey }: ResidentAddress, bytes: string): Promise<number> {
  const startedAt = performance.now();
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.write(bytes);
  await once(socket, "end");
  const answer = Buffer.concat(chunks).toString();
  if (!answer.startsWith(`${serverKey}A`) || !answer.endsWith("{}")) throw new Error(answer);
  return performance.now() - startedAt;
}

/** Pages in memory, times their size. */
function residentMegabytes(pid: number): number {
  const file = `/proc/${pid}/statm`;
  // A build while it runs makes it hand over to a new one.
  if (!existsSync(file)) throw new Error("the resident was replaced while it was measured");
  const pages = Number(readFileSync(file, "latin1").split(" ")[1]);
  return (pages * 4_096) / 2 ** 20;
}
