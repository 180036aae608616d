import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RUN_LOG } from "../../../src/agents/log/run-log.ts";
import { decidePermission } from "../../../src/agents/protocol/acp/client-requests.ts";
import { convertUsage } from "../../../src/agents/protocol/acp/prompt-reader.ts";
import { normalizeOutput } from "../../../src/agents/run/output/read.ts";
import { adapterOf } from "../../support/agents.ts";
import { type Attempt, attempt, makePlace } from "../run/scripted-agent.ts";

const PROGRAM = join(import.meta.dirname, "fixtures", "acp-agent.ts");

const converse = (behaviour: string, changes: Partial<Attempt> = {}) =>
  attempt(makePlace(), {
    agent: "acp",
    program: "",
    ...changes,
    config: {
      argv: [process.execPath, PROGRAM, behaviour],
      permission_mode: "auto",
      ...changes.config,
    },
  });

const readSaved = (name: string) =>
  normalizeOutput(
    adapterOf("acp"),
    readFileSync(join(import.meta.dirname, "fixtures", "acp", name)),
    { exitCode: 0, workingDirectory: "/workspace" },
  );

describe("conversations of real agents", () => {
  // biome-ignore format: a table, one conversation a line
  const ROWS: readonly (readonly [string, string, string | null, readonly (number | null)[], number | null, readonly (readonly [string, boolean | null])[], readonly string[]])[] = [
    ["gemini", "0.61.0", "gemini-2.5-flash", [3333, null, null], null, [["execute", null], ["edit", false]], []],
    ["copilot", "1.0.102", null, [3333, 666, 165], null, [["execute", true], ["edit", false]], []],
    ["opencode", "1.18.33", "sim/sim-model", [null, null, null], 0.0172917, [["execute", true], ["edit", false]], []],
    ["qwen", "0.24.4", "sim-model", [3333, 666, 165], null, [["run_shell_command", true], ["write_file", false]], []],
    ["qwen-401", "0.24.4", "sim-model", [null, null, null], null, [], ["ACP_AUTH_FAILED"]],
    ["copilot-401", "1.0.102", null, [null, null, null], null, [], ["ACP_AUTH_FAILED"]],
  ];

  test.each(ROWS)("%s", (name, version, model, tokens, cost, tools, errors) => {
    const log = readSaved(name);
    expect(RUN_LOG.safeParse(log).error).toBeUndefined();
    expect(log.agent_info.version).toBe(version);
    expect(log.model_info.name).toBe(model);
    const { input_tokens, output_tokens, reasoning_tokens } = log.usage;
    expect([input_tokens, output_tokens, reasoning_tokens]).toEqual(tokens);
    expect(log.cost?.usd ?? null).toBe(cost);
    expect(log.tool_calls.map(({ name: tool, is_error }) => [tool, is_error ?? null])).toEqual(
      tools,
    );
    expect(log.errors.map(({ code }) => code)).toEqual(errors);
    expect(log.execution.status).toBe(errors.length === 0 ? "success" : "failed");
  });

  test("tell which file was changed, and nothing of answers they do not have", () => {
    for (const name of ["gemini", "opencode", "qwen"]) {
      const log = readSaved(name);
      expect(log.files_changed, name).toEqual(["out.txt"]);
      for (const call of log.tool_calls) expect(call, name).not.toHaveProperty("permission");
    }
  });
});

describe("a conversation", () => {
  test("opens, prompts, answers and ends by itself", async () => {
    const { log, events } = await converse("");
    expect(log).toMatchObject({
      agent_info: { name: "acp", version: "9.9.9" },
      execution: { status: "success", exit_code: 0 },
      session: { id: "s-1", resumable: true },
      usage: { input_tokens: 7, output_tokens: 5, total_tokens: 12 },
      stop_reason: "end_turn",
    });
    expect(log.messages.map(({ role, content }) => [role, content])).toEqual([
      ["user", "do it"],
      ["assistant", "I ask first."],
      ["tool", ""],
      ["assistant", "Done."],
    ]);
    expect(events.filter(({ kind }) => kind === "delta")).toHaveLength(3);
  });

  test.each([
    ["auto", {}, "allowed"],
    ["ask", {}, "denied"],
    ["plan", {}, "denied"],
    ["allowlist", {}, "denied"],
    ["allowlist", { allowed_tools: ["execute"] }, "allowed"],
  ])("under `%s` with %j a tool is %s", async (permission_mode, more, permission) => {
    const { log } = await converse("", { config: { permission_mode, ...more } });
    expect(log.tool_calls).toMatchObject([{ permission, is_error: permission === "denied" }]);
  });

  test("refuses what it does not offer, and goes on", async () => {
    const { log } = await converse("asks-oddly");
    const said = log.messages.map(({ content }) => content).join("\n");
    expect(said).toContain("terminal/create is not offered");
    expect(log.execution.status).toBe("success");
  });

  test("with an agent that will not leave ends all the same", async () => {
    const { log } = await converse("stays");
    expect(log.execution).toMatchObject({ status: "success", exit_code: null });
    expect(log.errors).toEqual([]);
  });

  test("with an agent that dies has been aborted", async () => {
    const { log } = await converse("dies");
    expect(log.execution).toMatchObject({ status: "failed", exit_code: 3 });
    expect(log.errors.map(({ code }) => code)).toEqual(["ACP_ABORTED"]);
  });

  test("with an agent that hangs ends at its time, with what was said", async () => {
    const { log } = await converse("hangs", { timeout: 3_000 });
    expect(log.execution.status).toBe("timeout");
    expect(log.errors.map(({ code }) => code)).toEqual(["ACP_TIMEOUT"]);
    expect(log.messages.at(-1)?.content).toBe("I wait.");
  });

  test("is cancelled by its signal", async () => {
    const controller = new AbortController();
    const onEvent = ({ kind }: { kind: string }) => kind === "delta" && controller.abort();
    const { log } = await converse("hangs", { options: { signal: controller.signal, onEvent } });
    expect(log.execution.status).toBe("cancelled");
  });

  test("needs a program", async () => {
    const { log } = await converse("", { config: { argv: [] } });
    expect(log.errors).toMatchObject([{ code: "ACP_INVALID_CONFIG", context: { path: "argv" } }]);
    const missing = await converse("", { config: { argv: ["/none/agent"] } });
    expect(missing.log.errors.map(({ code }) => code)).toEqual(["ACP_CLI_NOT_FOUND"]);
  });
});

describe("the client's answers", () => {
  test("choose the mildest option that fits, or none", () => {
    const ask = (mode: string, kinds: readonly string[]) =>
      decidePermission(
        { mode, allowed: [] },
        ["edit"],
        kinds.map((kind) => ({ kind, optionId: kind })),
      );
    expect(ask("auto", ["allow_always", "allow_once"]).optionId).toBe("allow_once");
    expect(ask("auto", ["allow_always"]).optionId).toBe("allow_always");
    expect(ask("ask", ["allow_once", "reject_always"]).optionId).toBe("reject_always");
    expect(ask("auto", ["reject_once"])).toEqual({ isAllowed: false, optionId: null });
  });

  test("read figures by what their total says is in them", () => {
    const counts = { inputTokens: 10, outputTokens: 4, thoughtTokens: 2, cachedReadTokens: 3 };
    expect(convertUsage({ ...counts, totalTokens: 14 })).toMatchObject({ input: 10, output: 4 });
    expect(convertUsage({ ...counts, totalTokens: 19 })).toMatchObject({ input: 13, output: 6 });
    expect(convertUsage({ ...counts, totalTokens: 99 })).toMatchObject({
      input: null,
      output: null,
    });
  });
});
