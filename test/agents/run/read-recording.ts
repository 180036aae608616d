import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunLog } from "../../../src/agents/log/run-log.ts";
import type { AgentAdapter } from "../../../src/agents/run/adapter.ts";
import { normalizeOutput } from "../../../src/agents/run/output/read.ts";
import { adapterOf } from "../../support/agents.ts";

const ROOT = join(import.meta.dirname, "fixtures", "recordings");
const AGENTS: Readonly<Record<string, string>> = {
  "claude-2.1.325": "claude-code",
  "qwen-0.24.4": "qwen",
};

export interface Recording {
  readonly adapter: AgentAdapter;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** `readRecording("codex/b-shell")` – what the real CLI printed. */
export function readRecording(name: string): Recording {
  const folder = join(ROOT, name);
  const meta = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8"));
  const agent = name.split("/", 1)[0] ?? "";
  return {
    adapter: adapterOf(AGENTS[agent] ?? agent),
    stdout: readFileSync(join(folder, "stdout")),
    stderr: readFileSync(join(folder, "stderr")),
    exitCode: meta.exitCode,
    signal: meta.signal,
  };
}

export const listRecordings = (): string[] =>
  readdirSync(ROOT).flatMap((agent) =>
    readdirSync(join(ROOT, agent)).map((scenario) => `${agent}/${scenario}`),
  );

export const NOW = "2026-01-02T03:04:05.678Z";

export function normalizeRecording(
  recording: Recording,
  stdout: Uint8Array | Iterable<Uint8Array> = recording.stdout,
): RunLog {
  const { stderr, exitCode, signal } = recording;
  return normalizeOutput(recording.adapter, stdout, {
    stderr,
    exitCode,
    signal,
    now: NOW,
    runId: "run",
  });
}
