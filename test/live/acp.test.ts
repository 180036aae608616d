// The real CLIs that speak the Agent Client Protocol, through the one adapter for all of them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AcpDrive, type AcpRequest, driveAcp } from "./drive-acp.ts";
import { findLabCli, type LabAgent, missingMessage } from "./lab.ts";
import { FILE_CHANGES, REFUSED_KEY, SILENCE } from "./scenarios.ts";

type Figures = readonly [
  input: number | null,
  output: number | null,
  cacheRead: number | null,
  reasoning: number | null,
];

/** What each reveals of itself; seen in the pinned version. */
interface Speaker {
  readonly agent: LabAgent;
  readonly words: readonly string[];
  readonly model: string | null;
  readonly figures: Figures;
  readonly cost: number | null;
  readonly shell: string;
  readonly shellResult: string | null;
  /** Whether it asks before it runs a command. */
  readonly asks: boolean;
  readonly refusedKey: string;
}

const ALL: Figures = [1111, 222, 333, 55];

// biome-ignore format: a table, one agent a line
const SPEAKERS: readonly Speaker[] = [
  { agent: "gemini", words: ["--acp", "--skip-trust"], model: "gemini-2.5-flash", figures: [1111, null, null, null], cost: null, shell: "execute", shellResult: null, asks: true, refusedKey: "ACP_AUTH_FAILED" },
  { agent: "qwen", words: ["--acp", "--auth-type", "openai"], model: "sim-model", figures: ALL, cost: null, shell: "run_shell_command", shellResult: "sum-42", asks: true, refusedKey: "ACP_AUTH_FAILED" },
  { agent: "opencode", words: ["acp"], model: "sim/sim-model", figures: [null, null, null, null], cost: 0.0057639, shell: "execute", shellResult: "sum-42", asks: false, refusedKey: "ACP_UNKNOWN" },
  { agent: "copilot", words: ["--acp", "--no-auto-update"], model: null, figures: ALL, cost: null, shell: "execute", shellResult: "sum-42", asks: true, refusedKey: "ACP_AUTH_FAILED" },
];

const USAGE =
  "{ input_tokens: 1111, output_tokens: 222, cache_read_tokens: 333, reasoning_tokens: 55 }";
const ANSWERING = `turns: [{ thinking: Hm., text: A scripted answer., usage: ${USAGE} }]`;
// Of a command that ends at once qwen 0.24.4 sometimes loses the output.
const CALLING = `
turns:
  - { text: I run it., tool_calls: [{ tool: shell, command: "printf sum-%s 42; sleep 0.3" }] }
  - { when: { tool_result: sum-42 }, text: It says sum-42. }`;
const WRITING = `
turns:
  - { text: I write., tool_calls: [{ tool: write, path: notes.txt, content: alpha }] }
  - { text: So be it. }`;

const codesOf = ({ log }: AcpDrive): string[] => log.errors.map(({ code }) => code);
const saidBy = ({ log }: AcpDrive): string =>
  log.messages
    .filter(({ role }) => role === "assistant")
    .map(({ content }) => content)
    .join("\n");

for (const speaker of SPEAKERS)
  describe(speaker.agent, () => {
    const cli = findLabCli(speaker.agent);
    if (cli === null) return test.skip(missingMessage(speaker.agent));
    const drive = (scenario: string, request: Partial<AcpRequest> = {}) =>
      driveAcp({ cli, words: speaker.words, scenario, ...request });
    describeWork(speaker, drive);
    describeEndings(speaker, drive);
  });

type DriveScenario = (scenario: string, request?: Partial<AcpRequest>) => Promise<AcpDrive>;

function describeWork(speaker: Speaker, drive: DriveScenario): void {
  test("answers, and says what it reveals of itself", async () => {
    const run = await drive(ANSWERING);
    const { execution, usage, session, model_info, agent_info, stop_reason, cost } = run.log;
    expect(codesOf(run)).toEqual([]);
    expect(execution).toMatchObject({ status: "success", exit_code: 0 });
    expect(saidBy(run)).toBe("A scripted answer.");
    const { input_tokens, output_tokens, cache_read_tokens, reasoning_tokens } = usage;
    const figures = [input_tokens, output_tokens, cache_read_tokens, reasoning_tokens];
    expect(figures).toEqual(speaker.figures);
    expect(cost?.usd ?? null).toBe(speaker.cost);
    expect(model_info.name).toBe(speaker.model);
    expect(agent_info.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(session).toEqual({ id: expect.stringMatching(/./), resumable: true });
    expect(stop_reason).toBe("end_turn");
    expect(run.left).toEqual([]);
  });

  test("runs a command that it is allowed to run", async () => {
    const run = await drive(CALLING);
    expect(run.log.execution.status).toBe("success");
    expect(saidBy(run)).toContain("It says sum-42.");
    const [call] = run.log.tool_calls;
    expect(call).toMatchObject({ name: speaker.shell, kind: "shell" });
    expect(JSON.stringify(call?.arguments)).toContain("printf sum-%s 42");
    expect(call?.permission).toBe(speaker.asks ? "allowed" : undefined);
    if (speaker.shellResult === null) expect(call).not.toHaveProperty("result");
    else expect(call?.result).toContain(speaker.shellResult);
  });

  test("writes, reads and edits a file of the workspace", async () => {
    const run = await drive(FILE_CHANGES);
    expect(run.log.execution.status).toBe("success");
    expect(readFileSync(join(run.workspace, "notes.txt"), "utf8")).toBe("alpha\ngamma\n");
    expect(run.log.files_changed).toEqual(["notes.txt"]);
  });

  test("writes nothing under `plan`", async () => {
    const run = await drive(WRITING, { config: { permission_mode: "plan" } });
    expect(existsSync(join(run.workspace, "notes.txt"))).toBe(false);
    expect(run.log.files_changed).toEqual([]);
  });
}

function describeEndings(speaker: Speaker, drive: DriveScenario): void {
  test("a refused key is a failure", async () => {
    const run = await drive(REFUSED_KEY);
    expect(run.log.execution.status).toBe("failed");
    expect(codesOf(run)).toEqual([speaker.refusedKey]);
  });

  test("is cancelled while the model is silent, and nothing stays behind", async () => {
    const run = await drive(SILENCE, { isCancelled: true });
    expect(run.log.execution.status).toBe("cancelled");
    expect(codesOf(run)).toEqual(["ACP_CANCELLED"]);
    expect(run.left).toEqual([]);
  });

  test("ends when its time is up", async () => {
    const run = await drive(SILENCE, { timeoutMs: 15_000 });
    expect(run.log.execution).toMatchObject({ status: "timeout", timed_out: true });
    expect(codesOf(run)).toEqual(["ACP_TIMEOUT"]);
    expect(run.left).toEqual([]);
  });
}
