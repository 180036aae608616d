import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EntryCollector } from "../../../src/agents/log/collect-entries.ts";
import type { LogEvent } from "../../../src/agents/log/event.ts";
import { capText } from "../../../src/agents/log/text.ts";
import { DeltaJoiner } from "../../../src/agents/run/output/parser.ts";
import { normalizeOutput } from "../../../src/agents/run/output/read.ts";
import { runProcess } from "../../../src/core/process/run.ts";
import { adapterOf } from "../../support/agents.ts";
import { inTier } from "../../support/tier.ts";

const codex = adapterOf("codex");
const line = (value: object) => `${JSON.stringify(value)}\n`;
const answer = (text: string) =>
  line({ type: "item.completed", item: { type: "agent_message", text } });
const END = line({ type: "turn.completed", usage: { input_tokens: 5, output_tokens: 6 } });

function* repeat(piece: Buffer, times: number, end: string): Generator<Buffer> {
  for (let at = 0; at < times; at++) yield piece;
  yield Buffer.from(end);
}

describe("a log stays small", () => {
  test("a long text is cut with a note of what was left out", () => {
    const log = normalizeOutput(codex, Buffer.from(answer("x".repeat(300_000)) + END));
    const content = log.messages[0]?.content ?? "";
    expect(content.length).toBeLessThan(110_000);
    expect(content).toMatch(/\[200000 more characters left out\]$/);
  });

  test("of a text that came in pieces all that was left out is counted", () => {
    const lines = Array.from({ length: 3_000 }, () => "y".repeat(99)).join("\n");
    const log = normalizeOutput(codex, Buffer.from(lines), { format: "text" });
    expect(log.messages).toHaveLength(1);
    const note = `\n[${lines.length - 100_000} more characters left out]`;
    expect(log.messages[0]?.content).toBe(`${lines.slice(0, 100_000)}${note}`);
  });

  test("colours neither count nor keep anything from being counted, wherever a piece ends", () => {
    const line = `\u001b[31m${"y".repeat(40)}\u001b[0m😀`;
    const whole = Array.from({ length: 5_000 }, () => line).join("\n");
    const clean = whole.replaceAll("\u001b[31m", "").replaceAll("\u001b[0m", "");
    const kept = clean.slice(0, 100_000);
    const left = Array.from(clean.slice(100_000)).length;
    const delta = (text: string): LogEvent => ({
      ...{ kind: "delta", channel: "answer", text, at: null, parent: null },
    });
    for (const size of [7, 1_000, whole.length]) {
      const said: LogEvent[] = [];
      const joiner = new DeltaJoiner((event) => said.push(event));
      for (let at = 0; at < whole.length; at += size)
        joiner.push(delta(whole.slice(at, at + size)));
      joiner.end();
      const entries = new EntryCollector(() => "other");
      for (const event of said) if (event.kind === "message") entries.addMessage(event);
      expect(entries.messages[0]?.content).toBe(`${kept}\n[${left} more characters left out]`);
    }
  });

  test("a cut never halves a character", () => {
    expect(capText("ab😀", 3)).toBe("ab\n[1 more character left out]");
    expect(capText("ab😀😀c", 3)).toBe("ab\n[3 more characters left out]");
    expect(capText("ab😀", 4)).toBe("ab😀");
  });

  test("answers that go on and on are read to the end, and memory stays flat", async () => {
    const program = join(import.meta.dirname, "..", "run", "read-much.ts");
    const spec = {
      executable: process.execPath,
      args: [program, inTier("300", "1000")],
      env: {},
      cwd: "/",
    };
    const ending = await runProcess(spec, { timeoutMs: 60_000 });
    const read = JSON.parse(Buffer.from(ending.stdout).toString("utf8"));
    expect(read).toMatchObject({
      status: "success",
      tokens: 11,
      errors: ["CODEX_OUTPUT_TRUNCATED"],
    });
    expect(read.grownBy).toBeLessThan(100e6);
    expect(read.size).toBeLessThan(20e6);
  }, 90_000);

  test("a line of 40 MB is passed over, and what follows is read", () => {
    const log = normalizeOutput(
      codex,
      repeat(Buffer.from("z".repeat(1e6)), 40, `\n${answer("ok")}${END}`),
    );
    expect(log.messages.map(({ content }) => content)).toEqual(["ok"]);
    expect(log.errors.map(({ code }) => code)).toEqual(["CODEX_PARSE_ERROR"]);
  });
});
