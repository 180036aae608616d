import { join } from "node:path";
import { expect, test } from "vitest";
import { Fault } from "../../src/core/command/fault.ts";
import { loadScenario, parseScenario } from "../../src/sim/scenario.ts";
import { catchFault } from "../core/command/catch-fault.ts";
import { temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const messageOf = (yaml: string): string => catchFault(() => parseScenario(yaml, "s.yaml")).message;

test("a scenario is read with durations in milliseconds and patterns ready to use", () => {
  const scenario = parseScenario(
    `adjutant: 1
turns:
  - when: { user: hello, tool_result: { matches: "^ok$" }, agent: [codex, gemini], request: 2 }
    fault: { status: 429, retry_after: 1500ms, times: forever }
    text: hi
    delay: 2s
`,
    "s.yaml",
  );
  expect(scenario.turns[0]).toMatchObject({
    when: { user: { contains: "hello" }, agent: ["codex", "gemini"], request: 2 },
    fault: { status: 429, retry_after: 1500, times: "forever" },
    delay: 2000,
  });
  expect(scenario.turns[0]?.when?.tool_result?.matches?.test("ok")).toBe(true);
});

test.each([
  ["turns:\n  - txt: hi", "s.yaml:2:5: unknown key `txt`; did you mean `text`?"],
  ["turns: []", "s.yaml:1:8: `turns` is empty"],
  ["name: x", "s.yaml:1:1: `turns` is missing"],
  [
    "turns:\n  - thinking: hm",
    "s.yaml:2:5: entry 1 of `turns` needs `text`, `tool_calls` or `fault`",
  ],
  ["turns:\n  - text: hi\n    delay: 200", "s.yaml:3:12: `delay` must be text"],
  [
    "turns:\n  - text: hi\n    delay: 200 ms",
    "s.yaml:3:12: `delay` must be a duration such as `200ms`, `5s`",
  ],
  ["turns:\n  - fault: { status: 200 }", "s.yaml:2:22: `status` must be a status from 400 to 599"],
  [
    "turns:\n  - fault: { status: 500, hang: true }",
    "s.yaml:2:12: `fault` needs exactly one of `status`, `drop_after`, `hang`, `hang_after`, `malformed_frame`, `content_type`",
  ],
  [
    "turns:\n  - fault: { hang: true, retry_after: 1s }",
    "s.yaml:2:12: `fault` has `retry_after` or `message`, which belong to `status`",
  ],
  [
    "turns:\n  - fault: { hang: true, body: x }",
    "s.yaml:2:12: `fault` has `body`, which belongs to `content_type`",
  ],
  [
    "turns:\n  - tool_calls:\n      - { command: ls }",
    "s.yaml:3:9: entry 1 of `tool_calls` must have either `tool` (shell, write, edit, read) or the agent's own `name`",
  ],
  [
    "turns:\n  - tool_calls:\n      - { tool: write, path: a }",
    "s.yaml:3:9: entry 1 of `tool_calls` with `tool: write` needs `content`",
  ],
  [
    "turns:\n  - tool_calls:\n      - { tool: shell, command: ls, path: a }",
    "s.yaml:3:9: entry 1 of `tool_calls` has `path`, which does not belong to `tool: shell`",
  ],
  [
    "turns:\n  - tool_calls:\n      - { tol: shell, command: ls }",
    "s.yaml:3:11: unknown key `tol`; did you mean `tool`?",
  ],
  [
    "turns:\n  - when: { user: { containz: x } }\n    text: hi",
    "s.yaml:2:21: unknown key `containz`; did you mean `contains`?",
  ],
  [
    "turns:\n  - when: { user: { matches: '(' } }\n    text: hi",
    "s.yaml:2:30: `matches` must be a regular expression",
  ],
  [
    "turns:\n  - when: { agent: claude }\n    text: hi",
    "s.yaml:2:20: `agent` must be one or a list of claude-code, codex, gemini, opencode, copilot, qwen",
  ],
  [
    "turns: [{ text: hi }]\nexpect:\n  - { requests: 1, user: x }",
    "s.yaml:3:5: entry 1 of `expect` has more than `requests`, which stands alone",
  ],
  [
    "turns: [{ text: hi }]\nexpect:\n  - { request: 1 }",
    "s.yaml:3:5: entry 1 of `expect` must check something, such as `requests`, `user`, `tool_result` or `order`",
  ],
  [
    "turns: [{ text: hi }]\nusage: { input_tokens: -1 }",
    "s.yaml:2:24: `input_tokens` must be a whole number from 0",
  ],
  [
    "turns: [{ fault: { hang: true, times: 0 } }]",
    "s.yaml:1:39: `times` must be a whole number from 1",
  ],
  [
    "turns: [{ text: hi }]\nexpect: [{ requests: {} }]",
    "s.yaml:2:22: `requests` needs `at_least` or `at_most`",
  ],
  [
    "turns: [",
    "s.yaml:1:9: not YAML: flow sequence in block collection must be sufficiently indented and end with a ]",
  ],
])("%j is refused at its place", (yaml, message) => {
  expect(messageOf(yaml)).toBe(message);
});

test("a file is read by its path, and a missing one is a fault that names it", async () => {
  const folder = temporaryFolder();
  writeFiles(folder, { "good.yaml": "turns: [{ text: hi }]" });
  expect((await loadScenario(join(folder, "good.yaml"))).turns).toHaveLength(1);
  const missing = loadScenario(join(folder, "none.yaml"));
  await expect(missing).rejects.toThrow(Fault);
  await expect(missing).rejects.toThrow(
    `${join(folder, "none.yaml")}: the scenario cannot be read: it does not exist`,
  );
});
