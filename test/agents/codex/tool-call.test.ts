import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  readAskedCommand,
  readAskedMcpCall,
  readAskedPatch,
  splitQuoted,
} from "../../../src/agents/codex/tool-call.ts";
import { CODEX_TOOLS } from "../../../src/agents/codex/tools.ts";
import { findTool, patchPaths } from "../../../src/agents/steps/tool-table.ts";

const askedAbout = (command: string, more: object = {}) =>
  readAskedCommand({ itemId: "c", command, cwd: "/w", ...more }, "/w");

test.each([
  ["/bin/bash -lc ls", "ls"],
  ["/bin/bash -lc 'cat a.txt'", "cat a.txt"],
  ["/usr/bin/sh -c pwd", "pwd"],
  // As 0.166 quoted it.
  [`/bin/bash -lc "echo it's \\"q\\" "'$HOME && ls | wc -l'`, `echo it's "q" $HOME && ls | wc -l`],
  [`/bin/zsh -lc 'awk "{{print}}"'`, `awk "{{print}}"`],
  // What is not one shell with one script stays whole.
  ["/bin/bash -lc 'ls' extra", "/bin/bash -lc 'ls' extra"],
  ["/bin/bash script.sh", "/bin/bash script.sh"],
  ["python3 -c 'print(1)'", "python3 -c 'print(1)'"],
  ["/bin/bash -lc $(evil)", "/bin/bash -lc $(evil)"],
  ["/bin/bash -lc 'a'; rm -r x", "/bin/bash -lc 'a'; rm -r x"],
  ['/bin/bash -lc "$X"', '/bin/bash -lc "$X"'],
  ["/bin/bash -lc 'open", "/bin/bash -lc 'open"],
])("a hook is told of %s as %s", (line, command) => {
  expect(askedAbout(line)).toEqual({ callId: "c", tool: "Bash", args: { command } });
  expect(findTool(CODEX_TOOLS, "Bash")).toMatchObject({ kind: "shell", line: "command" });
});

test("a command in another folder goes there first, so that its files are looked for in the right place", () => {
  expect(askedAbout("/bin/sh -c 'rm x'", { cwd: "/my etc" })?.args).toEqual({
    command: "cd '/my etc' && rm x",
  });
});

test("what is no command is none", () => {
  expect(askedAbout("")).toBeNull();
  expect(askedAbout("ls", { kind: "writeStdin" })).toBeNull();
});

test("what a shell splits is split as the shell does it, or not at all", () => {
  const piece = fc.constantFrom(
    "a",
    " ",
    "  ",
    "'",
    '"',
    "\\",
    "$x",
    "`",
    "*",
    "b c",
    "'d e'",
    '"f g"',
  );
  const drawn = fc.sample(fc.array(piece, { maxLength: 8 }), { seed: 7, numRuns: 400 });
  const lines = drawn.map((pieces) => `w ${pieces.join("")}`);
  const split = lines.flatMap((line) => {
    const words = splitQuoted(line);
    return words === null ? [] : [{ line, words }];
  });
  expect(split.length).toBeGreaterThan(50);
  const show = 'w() { for each; do printf "[%s]" "$each"; done; echo; }';
  const script = [show, ...split.map(({ line }) => line)].join("\n");
  const shown = execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\n");
  expect(split.map(({ words: [, ...rest] }) => rest.map((word) => `[${word}]`).join(""))).toEqual(
    shown.slice(0, -1),
  );
});

const change = (path: string, kind: object, diff: string) => ({ path, kind, diff });

test("changes become the patch that they came from", () => {
  const changes = [
    change("/w/new.txt", { type: "add" }, "one\ntwo\n"),
    change("/w/gone.txt", { type: "delete" }, "old"),
    change("/w/b.txt", { type: "update", move_path: null }, "@@ -1,2 +1,2 @@\n x\n-y\n+z\n"),
    change(
      "/w/c.txt",
      { type: "update", move_path: "/etc/d.txt" },
      "@@ -1 +1 @@ f()\n-y\n\\ No newline at end of file\n+z\n\n\nMoved to: /etc/d.txt",
    ),
  ];
  const asked = readAskedPatch({ id: "p", changes }, "/w");
  const command = String(asked?.args.command);
  expect(command.split("\n")).toEqual([
    "*** Begin Patch",
    ...["*** Add File: new.txt", "+one", "+two"],
    "*** Delete File: gone.txt",
    ...["*** Update File: b.txt", "@@", " x", "-y", "+z"],
    ...["*** Update File: c.txt", "*** Move to: /etc/d.txt", "@@ f()", "-y", "+z"],
    "*** End Patch",
  ]);
  expect(asked?.tool).toBe("apply_patch");
  expect(patchPaths(command)).toEqual(["new.txt", "gone.txt", "b.txt", "c.txt", "/etc/d.txt"]);
  expect(readAskedPatch({ id: "p", changes: [] }, "/w")).toBeNull();
});

test("a question about an MCP server's tool is matched with its call", () => {
  const open = [
    { id: "1", server: "x", tool: "peek", arguments: { q: 1 } },
    { id: "2", server: "x", tool: "poke", arguments: { q: 1 } },
  ];
  const asked = (message: string, kind = "mcp_tool_call") =>
    readAskedMcpCall(
      {
        serverName: "x",
        message,
        _meta: { codex_approval_kind: kind, tool_params: { q: 1 } },
      },
      open,
    );
  const question = 'Allow the x MCP server to run tool "poke"?';
  expect(asked(question)).toEqual({ callId: "2", tool: "mcp__x__poke", args: { q: 1 } });
  expect(asked("Allow another?")).toBeNull();
  expect(asked(question, "form")).toBeNull();
});
