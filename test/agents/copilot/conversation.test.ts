import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeCopilotHooks, readCopilotCall } from "../../../src/agents/copilot/conversation.ts";
import { ToolCalls } from "../../../src/agents/protocol/acp/tool-calls.ts";
import type { JsonRecord } from "../../../src/core/project/json-value.ts";

const SAVED = join(import.meta.dirname, "..", "acp", "fixtures", "acp", "copilot");

const makeCalls = () => new ToolCalls({ toolName: () => null, readCall: readCopilotCall });

const read = (kind: string, rawInput: JsonRecord, title = "scripted") => {
  const calls = makeCalls();
  calls.update({ toolCallId: "c", kind, title, rawInput });
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

  // As 1.0.102 announced what it told its hooks under these names.
  test.each([
    ["bash", "execute", { command: "ls" }, "build-all"],
    ["write_bash", "edit", { shellId: "0", input: "ls" }, "Sending input to shell"],
    ["create", "edit", { path: "/w/a", file_text: "a" }, "Creating /w/a"],
    ["edit", "edit", { path: "/w/a", old_str: "a", new_str: "b" }, "Editing /w/a"],
    ["view", "read", { path: "/w/a" }, "Viewing /w/a"],
    ["grep", "read", { pattern: "a", path: "." }, "Searching for 'a'"],
    ["glob", "read", { pattern: "*.a" }, "Finding files matching *.a"],
    ["web_fetch", "fetch", { url: "http://127.0.0.1/" }, "Fetching http://127.0.0.1/"],
    ["sql", "other", { query: "select 1", description: "d" }, "d"],
    ["skill", "other", { skill: "x" }, "Using skill: x"],
    ["task", "other", { agent_type: "explore", prompt: "p" }, "look"],
    ["report_intent", "other", { intent: "x" }, "report_intent"],
    ["files-remove", "other", { pattern: "*", path: "/w" }, "files-remove"],
  ])("is `%s` where it is told as `%s` with %j", (tool, kind, input, title) => {
    expect(read(kind, input, title)).toEqual({ tool, args: input });
  });

  test("names the file that a patch changes", () => {
    const calls = makeCalls();
    calls.update({ toolCallId: "c", kind: "edit", title: "apply_patch", rawInput: {} });
    calls.update({ toolCallId: "c", kind: "edit", rawInput: { fileName: "/w/a", diff: "+a" } });
    expect(calls.read("c")).toEqual({ tool: "edit", args: { path: "/w/a", diff: "+a" } });
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
