// What an agent's own search brings back in a project whose `.env` git ignores, with the guard in the real CLIs.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runProcess } from "../../src/core/process/run.ts";
import { makeIsolatedHome } from "../../src/sim/run-sim.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import { readLatest } from "../../src/sim/wire.ts";
import { ADJ, run } from "../program/adj.ts";
import { temporaryFolder, writeFiles } from "../support/temporary-folder.ts";
import { findLabCli, type LabCli, missingMessage } from "./lab.ts";
import { PROMPT } from "./scenarios.ts";

/** What came back: what lies beside the protected files, or the guard's refusal. */
type Outcome = "found" | "refused";
type Row = readonly [args: object, outcome: Outcome];

const CONTENT = { output_mode: "content" };
const SEARCHES = {
  "claude-code": {
    tool: "Grep",
    rows: [
      [CONTENT, "found"],
      [{ ...CONTENT, path: "sub" }, "found"],
      [{ ...CONTENT, glob: "*" }, "refused"],
    ],
  },
  copilot: {
    tool: "grep",
    rows: [
      [CONTENT, "found"],
      [{ ...CONTENT, paths: "sub" }, "found"],
      [{ ...CONTENT, glob: "*" }, "refused"],
    ],
  },
  gemini: {
    tool: "grep_search",
    rows: [
      [{}, "found"],
      [{ dir_path: "sub" }, "found"],
      [{ max_matches_per_file: 9 }, "refused"],
      [{ pattern: "--regexp=MARKER" }, "refused"],
    ],
  },
  opencode: {
    tool: "grep",
    rows: [
      [{}, "found"],
      [{ include: "*" }, "refused"],
      [{ path: "hidden/a.txt" }, "refused"],
    ],
  },
  qwen: {
    tool: "grep_search",
    rows: [
      [{}, "found"],
      [{ glob: "*" }, "refused"],
      [{ path: "hidden" }, "refused"],
    ],
  },
} as const satisfies Record<string, { tool: string; rows: readonly Row[] }>;

const AGENTS = ["claude-code", "copilot", "gemini", "opencode", "qwen"] as const;

const HOOKS = `adjutant: 1
hooks:
  - name: secret-files
    on: before_tool
    run: { builtin: protect-paths, with: { paths: ["**/.env", "**/key.pem"] } }
`;

/** The same files in the project, in a folder of it, and in one that git ignores. */
function writeProject(root: string): void {
  const folders = ["", "sub/", "hidden/"];
  for (const folder of folders)
    writeFiles(root, {
      [`${folder}.env`]: "MARKER=protected\n",
      [`${folder}key.pem`]: "MARKER=protected\n",
      [`${folder}a.txt`]: "MARKER=neighbour\n",
    });
  writeFiles(root, {
    ".gitignore": ".env\nkey.pem\n/hidden/\n",
    ".adjutant/hooks.yaml": HOOKS,
  });
  execFileSync("git", ["init", "-q"], { cwd: root });
}

const RIPGREP = `../../lab/node_modules/@qwen-code/qwen-code/vendor/ripgrep/${process.arch}-${process.platform}/rg`;

/** One of the CLIs brings ripgrep along, without the right to run it, and another would load it from the network. */
function findRipgrep(folder: string): string[] {
  const packed = join(import.meta.dirname, RIPGREP);
  if (!existsSync(packed)) return [];
  mkdirSync(folder);
  copyFileSync(packed, join(folder, "rg"));
  chmodSync(join(folder, "rg"), 0o755);
  return [folder];
}

/** What the model was told of each search, in order. */
async function search(cli: LabCli, tool: string, searches: readonly object[]): Promise<string[]> {
  const calls = searches.map((args) => ({
    tool_calls: [{ name: tool, arguments: { pattern: "MARKER", ...args } }],
  }));
  const scenario = { turns: [...calls, { text: "Done." }] };
  const sim = await startSim(parseScenario(JSON.stringify(scenario), "search"));
  onTestFinished(() => sim.close());
  const folder = temporaryFolder();
  const programs = [dirname(process.execPath), dirname(ADJ), ...findRipgrep(join(folder, "rg"))];
  const source = { ...process.env, PATH: [...programs, process.env.PATH].join(delimiter) };
  const isolated = await makeIsolatedHome({ agent: cli.agent, url: sim.url, source });
  onTestFinished(() => isolated.remove());
  const root = join(folder, "project");
  writeProject(root);
  const env = {
    ...isolated.env,
    ADJ_STATE_DIR: join(folder, "state"),
    ADJ_CONFIG_DIR: join(folder, "config"),
  };
  const adj = (...words: string[]) => run(ADJ, words, { cwd: root, env });
  const asked = await adj("--json", "trust");
  const hash = /--hash ([0-9a-f]{64})/.exec(asked.stdout)?.[1] ?? "";
  await adj("trust", "--hash", hash);
  expect((await adj("install", cli.agent)).exitCode).toBe(0);
  const [executable = "", ...args] = cli
    .commandFor(PROMPT)
    .map((word) => word.replace(/^Bash,/, "Bash,Grep,"));
  await runProcess({ executable, args, env, cwd: root }, { timeoutMs: 90_000 });
  const turns = sim.requests().filter(({ kind }) => kind === "turn");
  return turns
    .slice(1)
    .map(({ request }) => (request === null ? "" : readLatest(request).toolResults));
}

describe.each(AGENTS)("the search of %s", (agent) => {
  const cli = findLabCli(agent);
  if (cli === null) test.skip(missingMessage(agent));
  else
    test("brings back what lies beside what is protected, and never that", {
      timeout: 120_000,
    }, async () => {
      const { tool, rows } = SEARCHES[agent];
      const told = await search(
        cli,
        tool,
        rows.map(([args]) => args),
      );
      expect(told.join("\n")).not.toContain("MARKER=protected");
      expect(told.map(outcomeOf), told.join("\n")).toEqual(rows.map(([, outcome]) => outcome));
    });
});

function outcomeOf(told: string): Outcome | "nothing" {
  if (told.includes("which `secret-files` protects")) return "refused";
  return told.includes("MARKER=neighbour") ? "found" : "nothing";
}
