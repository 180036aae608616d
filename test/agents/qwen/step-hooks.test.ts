import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { qwenStepHooks } from "../../../src/agents/qwen/conversation.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { open, say } from "../protocol/stream-json/converse.ts";

const HOOK = { argv: ["adj", "a b"], env: { HOOK_WORD: "to the hook" }, limitMs: 600_000 };

test("one run of Qwen Code gets our hook in the place of the system's settings, within the minute that counts there", () => {
  const { args, env, files } = qwenStepHooks(HOOK, "/log", "/nowhere.json");
  const [file] = files;
  expect(args).toEqual([]);
  expect(env).toEqual({ HOOK_WORD: "to the hook", QWEN_CODE_SYSTEM_SETTINGS_PATH: file?.path });
  expect(file?.path).toMatch(/^\/log\//);
  const { hooks, disableAllHooks } = JSON.parse(file?.text ?? "");
  expect(disableAllHooks).toBe(false);
  expect(hooks.PreToolUse).toMatchObject([{ hooks: [{ command: "adj 'a b'", timeout: 60_000 }] }]);
});

test("what an administrator decided holds for this run too", () => {
  const file = join(temporaryFolder(), "settings.json");
  writeFileSync(
    file,
    '{ "tools": { "exclude": ["x"] }, /* ours */ "hooks": { "PreToolUse": [1], "Stop": [2] } }',
  );
  const [written] = qwenStepHooks(HOOK, "/log", file).files;
  expect(JSON.parse(written?.text ?? "")).toMatchObject({
    tools: { exclude: ["x"] },
    hooks: { PreToolUse: [1, { hooks: [{}] }], Stop: [2] },
  });
});

test("a conversation is started with the hook's file and environment", async () => {
  const { conversation } = await open({ agent: "qwen", stepHook: HOOK });
  const { hooked, systemSettings } = JSON.parse((await say(conversation, "tell")).text);
  expect(hooked).toBe("to the hook");
  expect(systemSettings).toContain("PreToolUse");
});
