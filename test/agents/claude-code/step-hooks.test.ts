import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { claudeStepHooks } from "../../../src/agents/claude-code/conversation.ts";
import { open, say, tryOpen } from "../protocol/stream-json/converse.ts";

const HOOK = {
  argv: ["printf", "%s|", "it's", "a b"],
  env: { HOOK_WORD: "to the hook" },
  limitMs: 600_000,
};

const handlerOf = (version?: string) => {
  const { args } = claudeStepHooks(HOOK, "/log", version);
  return JSON.parse(args[1] ?? "").hooks.PreToolUse[0].hooks[0];
};

test("one run of Claude Code gets our hook by `--settings`, waits longer than an answer may take, and blocks without one", () => {
  const { args, files } = claudeStepHooks(HOOK, "/log");
  expect([args[0], files]).toEqual(["--settings", []]);
  expect(JSON.parse(args[1] ?? "").disableAllHooks).toBe(false);
  expect(handlerOf()).toMatchObject({ type: "command", timeout: 610, onFailure: "block" });
});

test("the hook's words arrive as they are, by a shell line where the version cannot do without", () => {
  expect(handlerOf("2.1.325")).toMatchObject({ command: "printf", args: HOOK.argv.slice(1) });
  for (const version of [undefined, "2.1.100"]) {
    const { command, args } = handlerOf(version);
    expect(args).toBeUndefined();
    expect(execFileSync("sh", ["-c", command], { encoding: "utf8" })).toBe("it's|a b|");
  }
});

test("a conversation is started with the hook and its environment, and takes no other settings beside it", async () => {
  const { conversation } = await open({ stepHook: HOOK });
  const { words, hooked } = JSON.parse((await say(conversation, "tell")).text);
  expect(words.filter((word: string) => word === "--settings")).toHaveLength(1);
  expect(hooked).toBe("to the hook");
  for (const settings of [{ settings: "mine.json" }, { extra_args: ["--settings", "mine.json"] }]) {
    const { opened } = await tryOpen({ stepHook: HOOK, settings });
    expect(opened).toMatchObject({ kind: "refused", errors: [{ path: "settings" }] });
  }
});
