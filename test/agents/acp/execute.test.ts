import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { longTest } from "../../support/tier.ts";
import { makePlace } from "../run/scripted-agent.ts";
import { codesOf, runProgram, saidBy, talk } from "./converse.ts";

const abortOn = (kind: string) => {
  const controller = new AbortController();
  const onEvent = (event: { kind: string }) => event.kind === kind && controller.abort();
  return { options: { signal: controller.signal, onEvent } };
};

describe("the agent's last word", () => {
  test.each([
    ["end_turn", "success", []],
    ["max_tokens", "failed", ["ACP_ABORTED"]],
    ["max_turn_requests", "failed", ["ACP_MAX_TURNS"]],
    ["refusal", "failed", ["ACP_REFUSED"]],
    ["cancelled", "failed", ["ACP_ABORTED"]],
    ["out_of_the_blue", "failed", ["ACP_ABORTED"]],
    [null, "failed", ["ACP_ABORTED"]],
  ])("`%s` means %s", async (reason, status, codes) => {
    const run = await talk({ turn: [["stop", reason]] });
    expect(run.log.execution.status).toBe(status);
    expect(run.log.stop_reason).toBe(reason);
    expect(codesOf(run)).toEqual(codes);
  });

  test.each([
    [401, "no such key", "ACP_AUTH_FAILED"],
    [429, "slow down", "ACP_RATE_LIMIT"],
    [-32000, "Authentication required", "ACP_AUTH_FAILED"],
    [-32603, "Internal error", "ACP_UNKNOWN"],
  ])("an error %i, %s, is %s", async (code, message, expected) => {
    const run = await talk({ turn: [["fail", code, message]] });
    expect(run.log.execution.status).toBe("failed");
    expect(codesOf(run)).toEqual([expected]);
  });

  test("that never comes is an abort, with what was said until then", async () => {
    const run = await talk({
      turn: [
        ["say", "Half of it"],
        ["exit", 0],
      ],
    });
    expect(run.log.execution).toMatchObject({ status: "failed", exit_code: 0 });
    expect(codesOf(run)).toEqual(["ACP_ABORTED"]);
    expect(saidBy(run)).toBe("Half of it");
  });
});

describe("stopping", () => {
  const OBEDIENT = {
    turn: [
      ["say", "I wait."],
      ["await", "session/cancel"],
      ["say", " I stop."],
      ["stop", "cancelled"],
    ],
  } as const;

  test("an agent is asked to stop before it is ended, when cancelled", async () => {
    const run = await talk(OBEDIENT, abortOn("delta"));
    expect(run.log.execution).toMatchObject({ status: "cancelled", exit_code: 0 });
    expect(codesOf(run)).toEqual(["ACP_CANCELLED"]);
    expect(saidBy(run)).toBe("I wait. I stop.");
    expect(run.log.stop_reason).toBe("cancelled");
  });

  test("an agent is asked to stop before it is ended, when its time is up", async () => {
    const run = await talk(OBEDIENT, { timeout: 2_000 });
    expect(run.log.execution).toMatchObject({ status: "timeout", timed_out: true, exit_code: 0 });
    expect(codesOf(run)).toEqual(["ACP_TIMEOUT"]);
    expect(saidBy(run)).toBe("I wait. I stop.");
  });

  test("one that answers with an error has been stopped all the same", async () => {
    const turn = [
      ["say", "I wait."],
      ["await", "session/cancel"],
      ["fail", -32603, "aborted"],
    ] as const;
    const run = await talk({ turn }, abortOn("delta"));
    expect(run.log.execution.status).toBe("cancelled");
    expect(codesOf(run)).toEqual(["ACP_CANCELLED"]);
  });

  test("one that does not listen is ended", async () => {
    const run = await talk({ turn: [["say", "I wait."]] }, abortOn("delta"));
    expect(run.log.execution).toMatchObject({
      status: "cancelled",
      exit_code: null,
      signal: "SIGTERM",
    });
    expect(codesOf(run)).toEqual(["ACP_CANCELLED"]);
  });

  test("nothing is allowed any more after it was asked to stop", async () => {
    const turn = [
      ["say", "I wait."],
      ["await", "session/cancel"],
      [
        "ask",
        "session/request_permission",
        {
          toolCall: { toolCallId: "c-1", kind: "edit" },
          options: [{ optionId: "yes", kind: "allow_once" }],
        },
      ],
      ["stop", "cancelled"],
    ] as const;
    const run = await talk({ turn }, abortOn("delta"));
    expect(saidBy(run)).toContain('{"outcome":{"outcome":"cancelled"}}');
  });

  test("a run that was cancelled before it began starts nothing", async () => {
    const place = makePlace();
    const marker = join(place.folder, "started");
    const signal = AbortSignal.abort();
    const run = await runProgram(["touch", marker], { options: { signal } }, place);
    expect(run.log.execution.status).toBe("cancelled");
    expect(() => readFileSync(marker)).toThrow("ENOENT");
  });
});

describe("a program that is no such agent", () => {
  test.each([
    ["prints and leaves", ["sh", "-c", "echo Hello."], ["ACP_PARSE_ERROR", "ACP_ABORTED"]],
    ["says nothing", ["true"], ["ACP_PARSE_ERROR", "ACP_ABORTED"]],
    ["fails", ["sh", "-c", "exit 7"], ["ACP_PARSE_ERROR", "ACP_ABORTED"]],
    ["repeats what it reads", ["cat"], ["ACP_ABORTED"]],
    [
      "answers with something else",
      ["sh", "-c", 'read line; echo \'{"jsonrpc":"2.0","id":1,"result":{}}\'; cat >/dev/null'],
      ["ACP_ABORTED"],
    ],
  ])("%s", async (_, argv, codes) => {
    const run = await runProgram(argv);
    expect(run.log.execution.status).toBe("failed");
    expect([...new Set(codesOf(run))]).toEqual(codes);
  });

  test("never answers, and its time is up", async () => {
    const run = await runProgram(["sleep", "600"], { timeout: 500 });
    expect(run.log.execution.status).toBe("timeout");
    expect(codesOf(run)).toEqual(["ACP_PARSE_ERROR", "ACP_TIMEOUT"]);
    expect(run.log.errors[0]?.message).toContain("may not speak ACP");
  });

  test("speaks another version", async () => {
    const run = await talk({ protocol: 2 });
    expect(codesOf(run)).toEqual(["ACP_ABORTED"]);
    expect(run.log.errors[0]?.message).toContain("version 2");
  });
});

describe("too much", () => {
  test("of what it says is cut in the output and whole in the file", async () => {
    const line = "x".repeat(1_000_000);
    const script = `read a; i=0; while [ $i -lt 12 ]; do echo ${"y".repeat(10)}; head -c 1000000 /dev/zero | tr '\\0' x; echo; i=$((i+1)); done`;
    const run = await runProgram(["sh", "-c", script]);
    expect(run.result.truncated).toBe(true);
    expect(codesOf(run)).toContain("ACP_OUTPUT_TRUNCATED");
    const saved = readFileSync(run.result.stdoutPath ?? "", "utf8");
    expect(saved.split("\n").filter((text) => text === line)).toHaveLength(12);
  });

  longTest("asked without reading an answer is held back, not heaped up", async () => {
    const place = makePlace();
    writeFileSync(join(place.workspace, "large.txt"), "z".repeat(1_000_000));
    const before = process.memoryUsage.rss();
    const run = await talk({ turn: [["pester", 2_000]] }, { timeout: 4_000 }, place);
    expect(run.log.execution.status).toBe("timeout");
    expect(process.memoryUsage.rss() - before).toBeLessThan(250 * 1024 * 1024);
  });
});
