import { describe, expect, test } from "vitest";
import { asRecord, isRecord } from "../../../src/core/project/json-value.ts";
import { listRecordings, normalizeRecording, readRecording } from "./read-recording.ts";

const FIGURE =
  /token|^input|^output|cache|cached|candidates|prompt|^total$|thoughts|reasoning|^read$|^write$|cost/i;

type Change = (value: number) => number | undefined;

/** The same output with every token and cost figure changed, or gone. */
function changeFigures(value: unknown, change: Change, isFigure = false): unknown {
  if (typeof value === "number" && isFigure) return change(value);
  if (Array.isArray(value)) return value.map((part) => changeFigures(part, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      changeFigures(part, change, FIGURE.test(key)),
    ]),
  );
}

function changeOutput(stdout: Buffer, change: Change): Buffer {
  const text = stdout.toString("utf8");
  const write = (json: string) => JSON.stringify(changeFigures(JSON.parse(json), change));
  const isDocument = text.startsWith("{\n");
  return Buffer.from(isDocument ? write(text) : text.trimEnd().split("\n").map(write).join("\n"));
}

const STRUCTURED = listRecordings().filter((name) => {
  const first = readRecording(name).stdout[0];
  return first === "{".charCodeAt(0) || first === "[".charCodeAt(0);
});

describe("figures come from the output and from nowhere else", () => {
  test.each(STRUCTURED)("%s: seven times the figures, seven times the log's", (name) => {
    const recording = readRecording(name);
    const before = normalizeRecording(recording);
    const after = normalizeRecording(
      recording,
      changeOutput(recording.stdout, (value) => value * 7),
    );
    const scaled = Object.entries(before.usage).map(([key, value]) => [
      key,
      typeof value === "number" ? value * 7 : value,
    ]);
    expect(after.usage).toEqual(Object.fromEntries(scaled));
    expect(after.cost?.usd ?? null).toEqual(
      before.cost === null ? null : expect.closeTo(before.cost.usd * 7, 9),
    );
  });

  test.each(STRUCTURED)("%s: without its figures the log has none, and says so", (name) => {
    const recording = readRecording(name);
    const log = normalizeRecording(
      recording,
      changeOutput(recording.stdout, () => undefined),
    );
    expect(log.usage).toEqual({
      input_tokens: null,
      output_tokens: null,
      cache_read_tokens: null,
      cache_write_tokens: null,
      reasoning_tokens: null,
      total_tokens: null,
      source: "unknown",
    });
    expect(log.cost).toBeNull();
  });

  test("an output without a word gives a log without a fact", () => {
    const recording = { ...readRecording("claude-code/a-plain"), stdout: Buffer.alloc(0) };
    const log = normalizeRecording({ ...recording, exitCode: 1 });
    expect(log).toMatchObject({
      model_info: { name: null, source: "unknown" },
      messages: [],
      tool_calls: [],
      cost: null,
      turns: null,
      stop_reason: null,
      session: { id: null },
      files_changed: [],
    });
    expect(asRecord(log.usage).source).toBe("unknown");
  });
});
