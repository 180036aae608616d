// A made-up agent, added to a copy of the source as one folder and one line of the roster, is there wherever agents are.

import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHECKOUT } from "../support/checkout.ts";
import { removeFolder, writeFiles } from "../support/temporary-folder.ts";
import { longTest } from "../support/tier.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "adjutant-")));
afterAll(() => removeFolder(folder));

const home = join(folder, "home");
const project = join(folder, "project");
const bin = join(folder, "bin");

/** As its folder has it: the folder of another agent under another name. */
const rename = (text: string): string =>
  text.replaceAll("codex", "pilot").replaceAll("Codex", "Pilot").replaceAll("CODEX", "PILOT");

const PILOT = `#!/bin/sh
case "$1" in
  --version) echo 'pilot-cli 7.8.9' ;;
  home) echo "$PILOT_SIM_API_KEY"; cat "$HOME/.pilot/config.toml" ;;
  *)
    cat > /dev/null
    echo '{"type":"thread.started","thread_id":"t-1"}'
    echo '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"here I fly"}}'
    echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":2}}'
    ;;
esac
`;

beforeAll(() => {
  cpSync(join(CHECKOUT, "src"), join(folder, "src"), { recursive: true });
  cpSync(join(CHECKOUT, "package.json"), join(folder, "package.json"));
  symlinkSync(join(CHECKOUT, "node_modules"), join(folder, "node_modules"));
  const agents = join(folder, "src", "agents");
  mkdirSync(join(agents, "pilot"));
  for (const file of readdirSync(join(agents, "codex")))
    writeFileSync(
      join(agents, "pilot", file),
      rename(readFileSync(join(agents, "codex", file), "utf8")),
    );
  const roster = join(agents, "roster.ts");
  writeFileSync(
    roster,
    readFileSync(roster, "utf8")
      .replace("import { replay }", 'import { pilot } from "./pilot/agent.ts";\nimport { replay }')
      .replace("  replay,\n];", "  replay,\n  pilot,\n];"),
  );
  writeFiles(folder, {
    "bin/pilot": PILOT,
    "bin/adj": `#!/bin/sh\nexec '${process.execPath}' '${folder}/src/cli.ts' "$@"\n`,
    "config/hooks.yaml":
      "hooks:\n  - name: guard\n    on: before_tool\n    match: { agent: pilot }\n    run: { builtin: git, with: { forbid: [force-push] } }\n",
    "config/commands/hello.md": "---\ndescription: Say hello\n---\nSay hello.\n",
    "project/.pilot/config.toml": "",
    "project/.git/HEAD": "",
    "home/.keep": "",
    "scenario.yaml": "turns: [{ text: hello }]\n",
  });
  for (const name of ["pilot", "adj"]) chmodSync(join(folder, "bin", name), 0o755);
});

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

const adj = (words: readonly string[], input = ""): Promise<Printed> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(folder, "src", "cli.ts"), ...words],
      {
        cwd: project,
        env: {
          PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
          HOME: home,
          ADJ_STATE_DIR: join(folder, "state"),
          ADJ_CONFIG_DIR: join(folder, "config"),
          ADJ_RESIDENT: "off",
          NODE_COMPILE_CACHE: join(folder, "compiled"),
          PILOT_API_KEY: "none",
        },
      },
      (error, stdout, stderr) =>
        resolve({ stdout, stderr, exitCode: typeof error?.code === "number" ? error.code : 0 }),
    );
    child.stdin?.end(input);
  });

test("it is found and run", { timeout: 60_000 }, async () => {
  const { stdout: list } = await adj(["agent", "list"]);
  expect(list).toMatch(/^pilot +7\.8\.9 /m);
  const { stdout, stderr } = await adj(["agent", "run", "pilot", "--prompt", "hi"]);
  expect(stdout, stderr).toContain("here I fly");
});

test("its hooks are answered and can be tried", { timeout: 60_000 }, async () => {
  const payload = {
    hook_event_name: "PreToolUse",
    session_id: "s-1",
    cwd: project,
    tool_name: "Bash",
    tool_input: { command: "git push --force" },
  };
  const { stdout } = await adj(["hook", "pilot"], JSON.stringify(payload));
  expect(JSON.parse(stdout)).toMatchObject({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" },
  });
  const words = ["hooks", "test", "--agent", "pilot", "--command", "git push --force"];
  expect((await adj(words)).exitCode).toBe(126);
});

longTest("its hooks are installed, and the doctor looks at them", { timeout: 60_000 }, async () => {
  const { stdout, stderr } = await adj(["install", "pilot"]);
  const file = join(home, ".pilot", "hooks.json");
  expect(stdout, stderr).toContain(`pilot: wrote ${file}`);
  expect(readFileSync(file, "utf8")).toContain("adj-hook pilot");
  const doctor = await adj(["doctor", "pilot"]);
  expect(doctor.stdout, doctor.stderr).toContain("pilot 7.8.9\n");
  expect(doctor.stdout).toContain("a round trip through the installed command takes");
});

test("commands are written for it", { timeout: 60_000 }, async () => {
  const { stdout, stderr } = await adj(["sync", "pilot", "--user"]);
  expect(stdout, stderr).toMatch(/^pilot +hello +/m);
  expect(existsSync(join(home, ".pilot", "skills", "hello", "SKILL.md"))).toBe(true);
});

test("it is pointed at the scripted model", { timeout: 60_000 }, async () => {
  const { stdout } = await adj(["sim", join(folder, "scenario.yaml"), "--", "pilot", "home"]);
  expect(stdout).toContain("sk-sim-0000\n");
  expect(stdout).toMatch(/base_url = "http:\/\/127\.0\.0\.1:\d+\/v1"/);
});
