// Each file costs a start 0.2 ms. These are the counts of today with a little room: a static import that should
// be an `import()` shows here first.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "../support/checkout.ts";
import { type Home, makeHome } from "./adj.ts";

const COUNTER = join(import.meta.dirname, "fixtures", "count-files.cjs");

const PAYLOAD = JSON.stringify({
  session_id: "s",
  transcript_path: "/transcript.jsonl",
  cwd: "/",
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  tool_use_id: "t",
});

const GREET = `import { defineCommand, ok } from "adjutant";
export default defineCommand({ description: "Greet", safety: "read_only", effect: "read", run: () => ok("hello") });
`;

/** Which files of the build a start reads. */
async function filesRead(home: Home, words: readonly string[], stdin = ""): Promise<string[]> {
  const list = join(home.folder, "files-read");
  const env = {
    ...home.env,
    // An agent that is installed here would be one more to look at.
    PATH: "/usr/bin:/bin",
    ADJ_RESIDENT: "off",
    NODE_OPTIONS: `--require ${COUNTER}`,
    FILES_READ_TO: list,
  };
  const { exitCode, stderr } = await home.adjIn({ env, stdin }, ...words);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return readFileSync(list, "utf8").trim().split("\n");
}

const kibOf = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + statSync(join(CHECKOUT, "dist", file)).size, 0) / 1024;

// With room for a few additions: what this finds is a module that is loaded where nobody uses it.
test.each([
  { words: ["--version"], stdin: "", files: 1, kib: 2 },
  { words: ["hook", "claude-code"], stdin: PAYLOAD, files: 10, kib: 220 },
  // No agent is here, and none is loaded.
  { words: ["env"], stdin: "", files: 24, kib: 770 },
  { words: ["greet"], stdin: "", files: 20, kib: 1_100 },
  { words: ["agent", "run", "replay", "x"], stdin: "", files: 32, kib: 800 },
])("$words reads at most $files files and $kib KiB of the program", async ({ words, ...most }) => {
  const home = makeHome();
  home.write({ "config/commands/greet.ts": GREET });
  if (words[0] === "greet") await home.adj("commands");
  const read = await filesRead(home, words, most.stdin);
  expect(read.length, read.join(" ")).toBeLessThanOrEqual(most.files);
  expect(kibOf(read), read.join(" ")).toBeLessThanOrEqual(most.kib);
});
