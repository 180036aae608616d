import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/core/command/fault.ts";
import { ENTRY_INSTALLERS, openBench } from "./installing.ts";

// biome-ignore format: a table, one file each
const BROKEN = [
  { name: "a missing brace", text: '{\n  "hooks": {\n', at: /:3:1: .*close brace expected/ },
  { name: "a stray word", text: '{\n  "hooks": nope\n}\n', at: /:2:12: .*invalid symbol/ },
  { name: "a list", text: "[1]", at: /:1:1: it is not an object/ },
  { name: "hooks that are a list", text: '{\n  "hooks": []\n}', at: /:2:12: `hooks` is not an object/ },
  { name: "an event that is no list", text: '{"hooks":{"Stop":{}}}', at: /:1:18: `hooks.Stop` is not a list/ },
  { name: "hooks twice", text: '{"hooks":{},\n "hooks":{}}', at: /:2:2: `hooks` is there more than once/ },
  { name: "an event twice", text: '{"hooks":{"Stop":[],"Stop":[]}}', at: /:1:21: `Stop` is there more than once/ },
  { name: "text after the end", text: '{}\n{}', at: /:2:1: .*end of file expected/ },
] as const;

describe.each(ENTRY_INSTALLERS)("a broken file of $agent", (installer) => {
  test.each(BROKEN)("is refused with its place and left as it is: $name", async ({ text, at }) => {
    const bench = openBench(installer);
    bench.write(text);
    await expect(bench.install()).rejects.toThrow(at);
    await expect(bench.install()).rejects.toBeInstanceOf(Fault);
    await expect(bench.uninstall()).rejects.toThrow(at);
    expect(bench.text()).toBe(text);
  });

  test("is refused when it is not UTF-8", async () => {
    const bench = openBench(installer);
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    bench.write(bytes);
    await expect(bench.install()).rejects.toThrow("it is not UTF-8");
    expect(bench.read()).toEqual(bytes);
  });

  test("has comments, a comma too many or a byte order mark only where the agent reads them", async () => {
    for (const [text, isRead] of [
      ["{} // note", installer.syntax.comments],
      ['{"a":1,}', installer.syntax.trailingCommas],
      ["\ufeff{}", installer.syntax.mark],
    ] as const) {
      if (isRead) continue;
      const bench = openBench(installer);
      bench.write(text);
      await expect(bench.install()).rejects.toThrow(`${bench.file}:1:`);
      expect(bench.text()).toBe(text);
    }
  });
});

const hooks = (event: string, handler: unknown) =>
  JSON.stringify({ hooks: { [event]: [{ hooks: [handler] }] } });

// biome-ignore format: a table, one entry each
test.each([
  ["claude-code", hooks("PreToolUse", { type: "command" }), "`command` is missing"],
  ["claude-code", hooks("PreToolUse", { type: "command", command: "x", timeout: 0 }), "`timeout` must be above 0"],
  ["claude-code", hooks("PreToolUse", { type: "command", command: "x", timeout: "5" }), "`timeout` must be a number"],
  ["claude-code", hooks("PermissionRequest", { type: "command", command: "x", onFailure: "deny" }), "`onFailure` must be one of"],
  ["codex", '{"$schema":"x","hooks":{}}', "unknown key `$schema`"],
  ["codex", hooks("PreToolUse", { type: "http", url: "http://127.0.0.1:1/" }), "`codex` would not take the file"],
  ["gemini", hooks("BeforeTool", { type: "prompt" }), "`gemini` would not take the file"],
  ["qwen", hooks("PreToolUse", { type: "command" }), "`command` is missing"],
  ["copilot", '{"hooks":{}}', "`version` must be `1`"],
])("an entry that %s itself would refuse is named: %s", async (agent, text, problem) => {
  const installer = ENTRY_INSTALLERS.find((known) => known.agent === agent);
  if (installer === undefined) throw new Error(`no installer of ${agent}`);
  const bench = openBench(installer);
  bench.write(text);
  await expect(bench.install()).rejects.toThrow(problem);
  await expect(bench.install()).rejects.toThrow(`${bench.file}:1:`);
  expect(bench.text()).toBe(text);
});

test("a bad entry where claude-code drops only that one is no obstacle", async () => {
  const [claude] = ENTRY_INSTALLERS;
  if (claude === undefined) throw new Error("no installer");
  const bench = openBench(claude);
  bench.write(hooks("Stop", { type: "command", timeout: "x" }));
  expect((await bench.install()).did).toBe("changed");
});
