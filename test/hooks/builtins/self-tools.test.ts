// The tools by which each agent changes files, on what keeps its guards in force.
import { afterAll, expect, test } from "vitest";
import type { ToolArguments } from "../../../src/core/step/envelope.ts";
import { guardSelf, openSelf } from "./self-scratch.ts";

const scratch = openSelf();
afterAll(() => scratch.remove());
const { root, home } = scratch;

const OWN = [
  `${home}/.config/adjutant/hooks.yaml`,
  "~/.config/adjutant/new.yaml",
  ".adjutant/hooks.yaml",
  "src/../.adjutant/hooks.yaml",
  "linked",
  "conf/adjutant/hooks.yaml",
  `${root}/.adjutant/guards/stop`,
  "scripts/guard.sh",
  `${home}/guards/mine.sh`,
  `${home}/.claude/settings.json`,
  ".claude/settings.json",
  `${home}/.codex/hooks.json`,
  `${home}/.local/share/adjutant/adj-hook`,
  `${home}/.local/state/adjutant/state.db`,
  ".opencode/plugin/adjutant.js",
  ".github/hooks/adjutant.json",
  `file://${home}/.config/adjutant/hooks.yaml`,
  "/proc/self/cwd/.adjutant/hooks.yaml",
  `/proc/self/root${home}/.config/adjutant/hooks.yaml`,
  `${home}/../home/.config/adjutant/hooks.yaml`,
];
/** They may switch hooks off, and hold none of ours. */
const SETTINGS = [".claude/settings.local.json", ".gemini/settings.json", "opencode.json"];
const OTHERS = ["src/a.ts", ".adjutant/commands.yaml", `${home}/notes.txt`];

const patchOf = (path: string): string =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch\n`;

type Calling = readonly [tool: string, args: (path: string) => ToolArguments];
const CALLS: readonly (readonly [agent: string, ...Calling])[] = [
  ["claude-code", "Write", (file_path) => ({ file_path, content: "x" })],
  ["claude-code", "Edit", (file_path) => ({ file_path, old_string: "a", new_string: "b" })],
  ["claude-code", "MultiEdit", (file_path) => ({ file_path, edits: [] })],
  ["claude-code", "NotebookEdit", (notebook_path) => ({ notebook_path, new_source: "" })],
  ["claude-code", "mcp__fs__write_file", (path) => ({ path, content: "x" })],
  ["claude-code", "mcp__fs__move_file", (to) => ({ source: "src/a.ts", destination: to })],
  ["codex", "apply_patch", (path) => ({ command: patchOf(path) })],
  ["codex", "mcp__fs__edit_file", (path) => ({ path, edits: [{ oldText: "a", newText: "b" }] })],
  ["gemini", "write_file", (file_path) => ({ file_path, content: "x" })],
  ["gemini", "replace", (file_path) => ({ file_path, old_string: "a", new_string: "b" })],
  ["qwen", "write_file", (file_path) => ({ file_path, content: "x" })],
  ["qwen", "edit", (file_path) => ({ file_path, old_string: "a", new_string: "b" })],
  ["copilot", "create", (path) => ({ path, file_text: "x" })],
  ["copilot", "edit", (path) => ({ path, old_str: "a", new_str: "b" })],
  ["copilot", "apply_patch", (path) => ({ input: patchOf(path) })],
  ["opencode", "write", (filePath) => ({ filePath, content: "x" })],
  ["opencode", "edit", (filePath) => ({ filePath, oldString: "a", newString: "b" })],
  ["opencode", "apply_patch", (path) => ({ patchText: patchOf(path) })],
];

test.each(CALLS)(
  "%s: %s reaches nothing of ours, and other files are let pass",
  async (agent, tool, args) => {
    const decide = await guardSelf(scratch, agent);
    const passing = async (paths: readonly string[]): Promise<string[]> => {
      const passed: string[] = [];
      for (const path of paths)
        if ((await decide({ tool, args: args(path) })).answer === "pass") passed.push(path);
      return passed;
    };
    expect(await passing([...OWN, ...SETTINGS])).toEqual([]);
    expect(await passing(OTHERS)).toEqual(OTHERS);
  },
);

test.each([
  ["Write", { file_path: `${home}/.bashrc`, content: "export ADJ_CONFIG_DIR=/tmp/x\n" }],
  ["Edit", { file_path: ".env", old_string: "A=1", new_string: "XDG_CONFIG_HOME=/tmp/x" }],
  ["mcp__sh__run", { command: "adj trust" }],
  ["mcp__sh__run", { command: "pkill -f adjutant" }],
])("%s %j is not let pass", async (tool, args) => {
  const decide = await guardSelf(scratch);
  expect((await decide({ tool, args })).answer).not.toBe("pass");
});

test("a start-up file with other variables is everyday work", async () => {
  const decide = await guardSelf(scratch);
  const args = { file_path: `${home}/.bashrc`, content: "export EDITOR=vim\n" };
  expect((await decide({ tool: "Write", args })).answer).toBe("pass");
});
