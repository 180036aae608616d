// Run as a program: reads so many megabytes of answers and prints by how much memory grew.

import { normalizeOutput } from "../../../src/agents/run/output/read.ts";
import { adapterOf } from "../../support/agents.ts";

const megabytes = Number(process.argv[2]);
const answer = { type: "item.completed", item: { type: "agent_message", text: "y".repeat(1000) } };
const piece = Buffer.from(`${JSON.stringify(answer)}\n`.repeat(60));
const end = '{"type":"turn.completed","usage":{"input_tokens":5,"output_tokens":6}}\n';
const before = process.memoryUsage.rss();
let highest = before;

function* produce(): Generator<Buffer> {
  for (let sent = 0; sent < megabytes * 1e6; sent += piece.length) {
    yield Buffer.from(piece);
    highest = Math.max(highest, process.memoryUsage.rss());
  }
  yield Buffer.from(end);
}

const log = normalizeOutput(adapterOf("codex"), produce());
process.stdout.write(
  JSON.stringify({
    grownBy: highest - before,
    status: log.execution.status,
    tokens: log.usage.total_tokens,
    errors: log.errors.map(({ code }) => code),
    size: JSON.stringify(log).length,
  }),
);
