import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Envelope } from "../../../src/core/step/envelope.ts";
import { findBuiltin } from "../../../src/hooks/builtins/builtins.ts";
import { makeSubject } from "../../../src/hooks/match/match-rule.ts";
import type { HookRule } from "../../../src/hooks/match/rule.ts";
import { selfRules } from "../../../src/hooks/pipeline/self-rule.ts";
import { hookAgentOf } from "../../support/agents.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { placeIn } from "./place.ts";

const HOME = realpathSync(mkdtempSync(join(tmpdir(), "adj-self-")));
afterAll(() => rmSync(HOME, { recursive: true }));
const ROOT = join(HOME, "project");
const CONFIG = join(HOME, ".config/adjutant");
const STATE = join(HOME, ".local/state/adjutant");
const DATA = join(HOME, ".local/share/adjutant");
const ENTRY =
  '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"adj hook claude-code"}]}]}}';
const FILES: Readonly<Record<string, string>> = {
  [`${CONFIG}/hooks.yaml`]: "hooks: []",
  [`${CONFIG}/config.yaml`]: "",
  [`${STATE}/trust/x/current.json`]: "{}",
  [`${DATA}/adj-hook`]: "#!/bin/sh",
  [`${HOME}/.claude/settings.json`]: ENTRY,
  [`${HOME}/.claude/notes.md`]: "mine",
  [`${ROOT}/.adjutant/hooks.yaml`]: "hooks: []",
  [`${ROOT}/.adjutant/guards/stop`]: "#!/bin/sh",
  [`${ROOT}/.adjutant/commands.yaml`]: "",
  [`${ROOT}/src/a.ts`]: "",
  [`${ROOT}/.gemini/settings.json`]: "{}",
};
for (const [file, text] of Object.entries(FILES)) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
execFileSync("git", ["init", "-q"], { cwd: ROOT });

const guard = (fields: Partial<HookRule> = {}): HookRule => ({
  ...{ name: "stop", on: ["before_tool"], match: {}, protocol: "adjutant", timeoutMs: 5_000 },
  run: { type: "argv", argv: ["./guards/stop"], argvWindows: null },
  ...{ onError: null, isStrict: false, isOnce: false, isAsync: false, isEnabled: true },
  ...{ cwd: null, env: {}, inheritEnv: false, layer: "project", line: 1, column: 1 },
  file: join(ROOT, ".adjutant/hooks.yaml"),
  folder: join(ROOT, ".adjutant"),
  ...fields,
});
const PLACE = { env: {}, home: HOME, root: ROOT, stateDir: STATE };
const setOf = (...rules: HookRule[]) => ({ rules, broken: [], warnings: [] });

const agent = await hookAgentOf("claude-code");

async function decide(
  tool: string,
  args: Record<string, unknown>,
): Promise<"deny" | "ask" | "pass"> {
  const [rule] = selfRules("before_tool", setOf(guard()), PLACE);
  if (rule?.run.type !== "builtin") throw new Error("no rule");
  const payload = {
    session_id: "s",
    cwd: ROOT,
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: args,
  };
  const envelope = agent.readStep(payload, { env: {}, cwd: ROOT, correlationId: "c", time: "t" });
  const subject = makeSubject({ agent, root: ROOT, home: HOME }, envelope as Envelope);
  const verdict = await findBuiltin("self-protection")?.decide(
    rule.run.options,
    subject,
    placeIn(STATE),
  );
  if (verdict?.control === "veto") return "deny";
  return verdict?.permission === "ask" ? "ask" : "pass";
}

/** Everything that is protected, as it lies on the disk. */
function readProtected(home: string): string {
  const read = (path: string): string[] =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .sort()
          .flatMap((name) => read(join(path, name)))
      : [`${path}=${readFileSync(path, "utf8")}`];
  const paths = [
    ".config/adjutant",
    ".local",
    ".claude/settings.json",
    "project/.adjutant/hooks.yaml",
    "project/.adjutant/guards",
    "project/.gemini",
  ];
  return paths.flatMap((path) => read(join(home, path))).join("\n");
}

describe("an agent's shell lines cannot reach what keeps its guards in force", () => {
  test.each([
    `echo x > ${CONFIG}/hooks.yaml`,
    "echo x >> ~/.config/adjutant/hooks.yaml",
    "cd ~/.config && rm -rf adjutant",
    "mv ~/.config ~/x",
    "rm -rf ~/.local/state",
    "f=~/.config/adjutant/hooks.yaml; echo x > $f",
    "cp /dev/null $HOME/.local/share/adjutant/adj-hook",
    "ln -sfn /tmp/x ~/.config/adjutant",
    "ln ~/.config/adjutant/hooks.yaml y; echo x > y",
    "tee ~/.claude/settings.json </dev/null",
    "sed -i s/adj// ~/.claude/settings.json",
    "chmod 000 ~/.local/share/adjutant/adj-hook",
    "rm .adjutant/hooks.yaml",
    "mv .adjutant away",
    "rm -rf .adjutant",
    "cd .adjutant && echo > ./guards/../hooks.yaml",
    "echo 'exit 0' > .adjutant/guards/stop",
    "truncate -s0 .adjutant/hooks.yaml",
    "dd if=/dev/zero of=.adjutant/hooks.yaml count=1",
    "git checkout HEAD~1 -- .adjutant/hooks.yaml",
    "git rm -f .adjutant/hooks.yaml",
    "find ~/.config/adjutant -name hooks.yaml -delete",
    "rsync -a /tmp/evil/ ~/.config/adjutant/",
    "sh -c 'rm ~/.config/adjutant/*.yaml'",
    "rm ~/.con*/adj*/hooks.yaml",
    "install -m 644 /dev/null ~/.config/adjutant/hooks.yaml",
    "echo x | sudo tee -a ~/.config/adjutant/config.yaml",
    "ln -s .adjutant q; echo x > q/hooks.yaml",
    "ln -s ~/.config c; echo x > c/adjutant/hooks.yaml",
    "ln -s ~ hh; rm -rf hh/.config",
    "chmod -x .adjutant/guards/stop",
    "git add -A; git rm -rfq .adjutant",
    "split -b9 src/a.ts ~/.config/adjutant/x",
    'ed -s src/a.ts <<< "w $HOME/.config/adjutant/hooks.yaml"',
    "perl -e 'truncate \"$ENV{HOME}/.config/adjutant/hooks.yaml\",0'",
    "python3 -c \"import pathlib;(pathlib.Path.home()/'.config/adjutant/hooks.yaml').write_text('')\"",
    "node -e \"fs.writeFileSync(process.env.HOME+'/.config/adjutant/hooks.yaml','')\"",
    "awk 'BEGIN{system(\"rm -rf ~/.config/adjutant\")}'",
    "ex -s '+!rm -rf ~/.config/adjutant' +q",
  ])("refused: %s", async (command) => {
    expect(await decide("Bash", { command })).toBe("deny");
  });

  test.each([
    'echo \'{"hooksConfig":{"enabled":false}}\' > .gemini/settings.json',
    "mkdir -p .claude && echo '{\"disableAllHooks\":true}' > .claude/settings.local.json",
  ])("asked, because another agent's settings may switch hooks off: %s", async (command) => {
    expect(await decide("Bash", { command })).not.toBe("pass");
  });

  const EVERYDAY = [
    "cat ~/.config/adjutant/hooks.yaml",
    "ls -la .adjutant && grep -rn hook .adjutant",
    "echo hi > src/a.ts",
    "rm -rf node_modules dist && mkdir dist",
    "git add -A && git status",
    "mv src/a.ts src/b.ts",
    "sed -i s/a/b/ src/a.ts",
    "cp ~/.claude/notes.md src/notes.md",
    "echo more >> ~/.claude/notes.md",
    "echo 'x: { description: x, argv: [ls] }' >> .adjutant/commands.yaml",
    "find src -name '*.tmp' -delete",
  ];

  test.each(EVERYDAY)("let pass, and it does no harm when it runs: %s", async (command) => {
    expect(await decide("Bash", { command })).toBe("pass");
    const copy = temporaryFolder("adj-self-run-");
    cpSync(HOME, copy, { recursive: true });
    execFileSync("bash", ["-c", `cd ${copy}/project; ${command}; true`], {
      env: { PATH: process.env.PATH ?? "", HOME: copy },
      stdio: "ignore",
    });
    expect(readProtected(copy).replaceAll(copy, HOME)).toBe(readProtected(HOME));
    rmSync(copy, { recursive: true });
  });
});

describe("other tools", () => {
  test.each<[tool: string, args: Record<string, unknown>, word: string]>([
    ["Write", { file_path: `${CONFIG}/hooks.yaml`, content: "" }, "deny"],
    [
      "Edit",
      { file_path: `${ROOT}/src/../.adjutant/hooks.yaml`, old_string: "a", new_string: "b" },
      "deny",
    ],
    ["Write", { file_path: `${HOME}/.claude/settings.json`, content: "{}" }, "deny"],
    ["Write", { file_path: `${ROOT}/.codex/config.toml`, content: "" }, "ask"],
    ["Write", { file_path: `${ROOT}/src/a.ts`, content: "" }, "pass"],
    ["Read", { file_path: `${CONFIG}/hooks.yaml` }, "pass"],
    ["Grep", { pattern: "x", path: CONFIG }, "pass"],
  ])("%s %j: %s", async (tool, args, word) => {
    expect(await decide(tool, args)).toBe(word);
  });
});

describe("commands that are a person's", () => {
  test.each([
    "adj trust --hash abc",
    "env -u CLAUDECODE adj trust",
    "npx adj trust",
    "npx --yes adjutant trust",
    "npm exec -- adj install codex",
    "./node_modules/.bin/adj uninstall --all",
    "node dist/adj.cjs config set mode auto",
    "sh -c 'adj run approve deploy'",
    "adj --yes deploy",
    "adj -C /tmp -y deploy",
    "adj deploy --yes",
    "adj $x",
    "adj config $action mode",
    "adj log --prune 1d --force",
    "adj resident stop",
    "adj hooks init --project",
    "adj new evil --user --argv -- sh",
    "adj-approve deploy",
    "setsid -f adj trust",
    "timeout 5 nohup adj forget deploy &",
    "tmux send-keys -t 0 'adj trust --hash abc' Enter",
    "echo 'adj trust --hash x' | at now",
    "script -qc 'adj trust' /dev/null",
    "true && (cd /tmp; adj trust)",
  ])("refused: %s", async (command) => {
    expect(await decide("Bash", { command })).toBe("deny");
  });

  test.each([
    "adj commands",
    "adj trust --diff",
    "adj trust --list",
    "adj config get model",
    "adj config get $key",
    "adj install",
    "adj install codex --dry-run",
    "adj log --last 5",
    "adj resident status",
    "adj hooks list",
    "adj deploy -- --yes",
    "npx --yes prettier .",
    "npm install -y adj-parser",
    "git commit -m 'say how adj trust works'",
    "echo adj trust",
    "grep -rn 'adj trust' docs",
    "node scripts/build.mjs install",
  ])("let pass: %s", async (command) => {
    expect(await decide("Bash", { command })).toBe("pass");
  });
});

test("it is there with the first guard, and with none it is not", () => {
  const at = (...rules: HookRule[]) => selfRules("before_tool", setOf(...rules), PLACE).length;
  expect(at()).toBe(0);
  expect(
    at(guard({ isAsync: true }), guard({ isEnabled: false }), guard({ onError: "skip" })),
  ).toBe(0);
  expect(at(guard())).toBe(1);
  expect(at(guard({ on: ["before_command"] }))).toBe(1);
  expect(selfRules("before_turn_end", setOf(guard()), PLACE)).toEqual([]);
});
