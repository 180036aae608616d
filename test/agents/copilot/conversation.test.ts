import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCopilotCall } from "../../../src/agents/copilot/conversation.ts";
import { describeCopilotHooks } from "../../../src/agents/copilot/step-hooks.ts";
import type { JsonRecord } from "../../../src/agents/log/json-fields.ts";
import { ToolCalls } from "../../../src/agents/protocol/acp/tool-calls.ts";

const SAVED = join(import.meta.dirname, "..", "acp", "fixtures", "acp", "copilot");

const makeCalls = () => new ToolCalls({ toolName: () => null, readCall: readCopilotCall });

const read = (kind: string, rawInput: JsonRecord) => {
  const calls = makeCalls();
  calls.update({ toolCallId: "c", kind, title: "scripted", rawInput });
  return calls.read("c");
};

describe("a call that Copilot CLI asks about", () => {
  test("is told in the words of its hooks, as it was announced", () => {
    const calls = makeCalls();
    const asked = readFileSync(SAVED, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .flatMap(({ method, params }) => {
        const call = params?.update ?? params?.toolCall ?? {};
        calls.update(call);
        return method === "session/request_permission" ? [calls.read(call.toolCallId)] : [];
      });
    expect(asked).toEqual([
      { tool: "bash", args: { command: "echo hi; exit 3", description: "scripted" } },
      { tool: "create", args: { path: "/workspace/out.txt", file_text: "data" } },
    ]);
  });

  test.each([
    ["execute", { command: "ls" }, "bash"],
    ["edit", { path: "/w/a", old_str: "a", new_str: "b" }, "edit"],
    ["edit", { path: "/w/a", file_text: "a" }, "create"],
    ["read", { path: "/w/a" }, "view"],
    ["fetch", { url: "http://127.0.0.1/" }, "web_fetch"],
    ["other", { any: 1 }, "scripted"],
  ])("of kind `%s` with %j is its tool `%s`", (kind, input, tool) => {
    expect(read(kind, input)).toEqual({ tool, args: input });
  });
});

test("hooks for one run are a plugin in the folder of its log, with more patience than the hook", () => {
  const hook = { argv: ["/opt/a hook", "copilot"], env: { KEY: "k" }, limitMs: 600_000 };
  const { args, env, files } = describeCopilotHooks(hook, "/log");
  expect(args).toEqual(["--plugin-dir", "/log/step-hooks"]);
  expect(env).toEqual({ KEY: "k" });
  const [plugin, hooks] = files.map(({ path, text }) => [path, JSON.parse(text)] as const);
  expect(plugin).toMatchObject(["/log/step-hooks/plugin.json", { hooks: "hooks.json" }]);
  expect(hooks?.[0]).toBe("/log/step-hooks/hooks.json");
  const [entry] = hooks?.[1].hooks.preToolUse ?? [];
  expect(entry.bash).toBe("'/opt/a hook' copilot");
  expect(entry.timeoutSec).toBeGreaterThan(600);
});
