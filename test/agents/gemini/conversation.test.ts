import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readGeminiCall } from "../../../src/agents/gemini/conversation.ts";
import { geminiHooks } from "../../../src/agents/gemini/hooks.ts";
import { ToolCalls } from "../../../src/agents/protocol/acp/tool-calls.ts";
import type { JsonRecord } from "../../../src/core/project/json-value.ts";

const SAVED = join(import.meta.dirname, "..", "acp", "fixtures", "acp", "gemini");

const PLACE = { env: {}, cwd: "/w", correlationId: "c", time: "2026-11-17T00:00:00.000Z" };

const read = (toolCall: JsonRecord) => {
  const calls = new ToolCalls({ toolName: () => null, readCall: readGeminiCall });
  calls.update(toolCall);
  return calls.read(String(toolCall.toolCallId));
};

const text = (shown: string) => [{ type: "content", content: { type: "text", text: shown } }];
const execute = (shown: string) =>
  read({
    ...{ toolCallId: "run_shell_command__c", kind: "execute", title: "touch it" },
    content: text(shown),
  });

describe("a call that Gemini CLI asks about", () => {
  test("is told in the words of its hooks", () => {
    const asked = readFileSync(SAVED, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ method }) => method === "session/request_permission")
      .map(({ params }) => read(params.toolCall));
    expect(asked).toEqual([
      { tool: "run_shell_command", args: { command: "echo hi; exit 3" } },
      { tool: "write_file", args: { file_path: "/workspace/out.txt", content: "data" } },
    ]);
  });

  test.each([
    ["[current working directory /w]", {}],
    ["[in src]", { dir_path: "src" }],
    [
      "[in src] (Make (all) of it) [background]",
      { dir_path: "src", description: "Make (all) of it", is_background: true },
    ],
  ])("has the details that are shown as %s", (shown, details) => {
    expect(execute(shown)).toEqual({
      tool: "run_shell_command",
      args: { command: "touch it", ...details },
    });
  });

  test("names the files that it changes or reads", () => {
    const diff = { type: "diff", path: "/w/a.txt", oldText: "one\n", newText: "two\n" };
    const edit = { toolCallId: "replace__c", kind: "edit", title: "a.txt", content: [diff] };
    const view = { toolCallId: "read_file-1-2", kind: "read", locations: [{ path: "/w/b.txt" }] };
    const title = "Allow access to absolute path: /etc/b.txt";
    const attached = { toolCallId: "attached", kind: "read", title, locations: [] };
    const calls = [edit, view, attached].map(read);
    expect(calls).toEqual([
      {
        tool: "replace",
        args: { file_path: "/w/a.txt", old_string: "one\n", new_string: "two\n" },
      },
      { tool: "read_file", args: { file_path: "/w/b.txt" } },
      { tool: "read_file", args: { file_path: "/etc/b.txt" } },
    ]);
    const paths = calls.map(({ tool, args }) => {
      const payload = { hook_event_name: "BeforeTool", tool_name: tool, tool_input: args };
      const step = geminiHooks.readStep(payload, PLACE);
      return step === null ? null : geminiHooks.filePaths(step);
    });
    expect(paths).toEqual([["/w/a.txt"], ["/w/b.txt"], ["/etc/b.txt"]]);
  });

  test("of a server's tool is not taken for one of its own", () => {
    const content = text('{"command":"rm it"}');
    const asked = { toolCallId: "mcp_files_remove__c", kind: "other", title: "remove", content };
    expect(read(asked)).toEqual({ tool: "mcp_files_remove", args: { command: "rm it" } });
    const alike = read({ ...asked, toolCallId: "read_file__remove__c" });
    expect(alike.tool).toBe("read_file__remove");
  });
});
