// Calls with more in them than can be looked at in time: asked about or refused for the number, never passed.
import { execSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { STARTER } from "../../../src/hooks/commands/init-hooks.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { sampled } from "../../support/tier.ts";
import { makeHookedHome } from "../resident/hooked-home.ts";
import { bash, type Call, openGuards } from "./guarded-project.ts";

const TOO_MANY = "the call has more than 20,000 texts and names; do it in several calls";

const times = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => make(at));

const mcp = (args: Call["args"]): Call => ({ tool: "mcp__some__tool", args });

test.each(sampled(["codex", "qwen"]))(
  "the built program refuses half a million names for their number, as %s is told",
  { timeout: 60_000 },
  async (agent) => {
    const home = makeHookedHome({ "config/hooks.yaml": STARTER });
    const words = times(524_288, () => "a");
    const named = Object.fromEntries(words.map((word, at) => [`${at}${word}`, at]));
    const { stdout, exitCode } = await home.hook(agent, {
      ...{ session_id: "s", cwd: home.project, hook_event_name: "PreToolUse" },
      ...{ tool_name: "mcp__some__tool", tool_input: { ...named, paths: words } },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/"(?:permissionDecision|decision)":\s?"(?:deny|block)"/);
    expect(stdout).toContain(TOO_MANY);
  },
);

/** A project with a protected file, and the guards of the starter file. */
async function openStarter(hooks = STARTER) {
  const base = temporaryFolder();
  const [root, home] = [join(base, "project"), join(base, "home")];
  mkdirSync(root);
  mkdirSync(home);
  execSync("git init -q -b main", { cwd: root });
  writeFileSync(join(root, ".env"), "x");
  writeFileSync(join(root, "a.txt"), "a".repeat(1_000_000));
  return openGuards({ root, home, stateDir: join(base, "state"), hooks });
}

test("as many texts as are looked at pass, one more does not", async () => {
  const decide = await openStarter();
  const call = (count: number): Call => mcp({ rows: times(count - 1, () => "a b\nc") });
  expect(await decide(call(20_000))).toMatchObject({ answer: "pass" });
  expect((await decide(call(20_001))).reason).toContain(TOO_MANY);
  // In a text that is JSON, and where the tool takes one such text, they count as well.
  const list = JSON.stringify(times(20_001, () => "a b\nc"));
  expect((await decide(mcp({ list }))).reason).toContain(TOO_MANY);
  expect((await decide(mcp(list))).reason).toContain(TOO_MANY);
});

const filler = (count: number): string => times(count, (at) => `"w${at}"`).join(" ");

/** Each hides a protected file behind more than is looked at. */
const PADDED: Readonly<Record<string, Call>> = {
  "texts of a call": mcp({ ".env": 1, rows: times(30_000, () => "a b\nc") }),
  "names of a call": mcp({ paths: [...times(6_000, (at) => `w${at}`), ".env"] }),
  "names in lists": mcp({ paths: [...times(200, () => "a ".repeat(2_000)), ".env"].reverse() }),
  "names in many texts": mcp({ path: [...times(900, (at) => filler(400 + at)), ".env"].reverse() }),
  "code of a call": mcp({ code: `${filler(6_000)}; open(".env")` }),
  "code of a call in pieces": mcp({
    code: [...times(60, (at) => filler(at * 100)), 'open(".env")'],
  }),
  "code of an interpreter": bash(`python3 - <<'E'\n${filler(6_000)}\nopen(".env")\nE`),
  "links of a line": bash(
    `${times(30, (at) => `ln -s x${at} y${at};`).join("")} ln -s ~ l; cat ${times(4_500, (at) => `w${at}`).join(" ")} l/.ssh/id`,
  ),
};

test.each(sampled(Object.entries(PADDED)))(
  "%s: padding hides no protected file",
  async (_, call) => {
    const decide = await openStarter();
    expect((await decide(call)).answer).toMatch(/ask|deny/);
  },
);

test("git's own files are not hidden behind many words of code either", async () => {
  const guard = "hooks:\n  - { name: g, on: before_tool, run: { builtin: git } }\n";
  const decide = await openStarter(guard);
  const code = `${filler(6_000)}\nopen(".git/refs/heads/main", "w")`;
  expect((await decide(bash(`python3 - <<'E'\n${code}\nE`))).answer).toMatch(/ask|deny/);
});

test("edits that would make a file of a terabyte are not made to see it", async () => {
  const decide = await openStarter();
  const edits = times(40, () => ({ old_string: "a", new_string: "aa", replace_all: true }));
  const { answer, reason } = await decide({
    tool: "MultiEdit",
    args: { file_path: "a.txt", edits },
  });
  expect(answer).toBe("ask");
  expect(reason).toContain("its edits are too many for a file of that size; make fewer at once");
});

test("a fetch with more addresses than are looked at is asked about", async () => {
  const guard =
    "hooks:\n  - { name: g, on: before_tool, run: { builtin: ask-network, with: { hosts: [localhost] } } }\n";
  const decide = await openStarter(guard);
  const args = { url: "http://localhost/", more: times(20_000, () => "http://localhost/") };
  const { answer, reason } = await decide({ tool: "WebFetch", args });
  expect([answer, reason]).toEqual([
    "ask",
    `it cannot be said whether it uses the network: ${TOO_MANY}`,
  ]);
});

test("what is nested deeper than any tool knows is masked however much it is", async () => {
  const guard = "hooks:\n  - { name: r, on: before_tool, run: { builtin: redact } }\n";
  const decide = await openStarter(guard);
  const key = `ghp_${"A1b2C3d4".repeat(5).slice(0, 36)}`;
  const rows: unknown = [...times(20_001, () => "a"), key];
  const deep = times(120, () => 0).reduce<unknown>((value) => [value], rows);
  const { args } = await decide({ tool: "Write", args: { file_path: "b.txt", deep } });
  expect(JSON.stringify(args)).not.toContain(key);
});
