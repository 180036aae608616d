// The guards of examples/guards inside the real Claude Code, by what the scripted model received.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runProcess } from "../../src/core/process/run.ts";
import { makeIsolatedHome } from "../../src/sim/run-sim.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import { ADJ, run } from "../program/adj.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { findLabCli, missingMessage } from "./lab.ts";
import { PROMPT } from "./scenarios.ts";

const EXAMPLE = join(import.meta.dirname, "..", "..", "examples", "guards");
const AGENT = "claude-code";
const TIME_LIMIT = 100_000;

interface Guarded {
  readonly workspace: string;
  /** Null where every expectation holds. */
  readonly missed: string | null;
}

/** The example, trusted, with the hook that `adj install` writes, and one scripted conversation. */
async function converse(scenario: object, prepare = (_: string): void => {}): Promise<Guarded> {
  const cli = findLabCli(AGENT);
  if (cli === null) throw new Error(missingMessage(AGENT));
  const sim = await startSim(parseScenario(JSON.stringify(scenario), "guards"));
  onTestFinished(() => sim.close());
  const PATH = [dirname(process.execPath), dirname(ADJ), process.env.PATH].join(delimiter);
  const { CI: _, ...source } = process.env;
  const isolated = await makeIsolatedHome({
    agent: AGENT,
    url: sim.url,
    source: { ...source, PATH },
  });
  onTestFinished(() => isolated.remove());
  const folder = temporaryFolder();
  const workspace = join(folder, "project");
  cpSync(EXAMPLE, workspace, { recursive: true });
  execFileSync("git", ["init", "-q"], { cwd: workspace });
  prepare(workspace);
  const env = {
    ...isolated.env,
    ADJ_STATE_DIR: join(folder, "state"),
    ADJ_CONFIG_DIR: join(folder, "config"),
    ADJ_RESIDENT: "off",
  };
  const adj = (...words: string[]) => run(ADJ, words, { cwd: workspace, env });
  const asked = await adj("--json", "trust");
  const hash = /--hash ([0-9a-f]{64})/.exec(asked.stdout)?.[1] ?? "";
  for (const words of [
    ["trust", "--hash", hash],
    ["install", AGENT],
  ]) {
    const { exitCode, stderr } = await adj(...words);
    expect(exitCode, stderr).toBe(0);
  }
  const [executable = "", ...args] = cli.commandFor(PROMPT);
  const ending = await runProcess(
    { executable, args, env, cwd: workspace },
    { timeoutMs: TIME_LIMIT },
  );
  const report = sim.report(ending.exitCode);
  const account = {
    ending: ending.kind,
    checks: report.checks,
    said: text(ending.stdout),
    told: text(ending.stderr),
  };
  return { workspace, missed: report.holds ? null : JSON.stringify(account, null, 1) };
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString().slice(-4_000);

const call = (command: string) => ({ tool_calls: [{ tool: "shell", command }] });
const DONE = { text: "Done." };
const told = (request: number, contains: string) => ({ request, tool_result: { contains } });

describe.skipIf(findLabCli(AGENT) === null)(
  "the guards of the example, in the real Claude Code",
  () => {
    test("a forced push does not run and the model is told why; other git commands do", async () => {
      const { missed } = await converse({
        turns: [
          call("cd . && git push --force origin main"),
          call("git status --short && echo looked"),
          DONE,
        ],
        expect: [
          told(2, "a forced push overwrites what others pushed"),
          told(3, "looked"),
          { exit_code: 0 },
        ],
      });
      expect(missed).toBeNull();
    });

    test("a commit with a secret in it is not made", async () => {
      const { missed, workspace } = await converse(
        {
          turns: [
            call("git -c user.name=a -c user.email=a@b commit -q -m notes; echo went on"),
            DONE,
          ],
          expect: [told(2, "there is a secret in what is staged"), { exit_code: 0 }],
        },
        (project) => {
          writeFileSync(join(project, "notes.txt"), `key = AKIA${"Z7QK2M4X".repeat(2)}\n`);
          execFileSync("git", ["add", "notes.txt"], { cwd: project });
        },
      );
      expect(missed).toBeNull();
      expect(existsSync(join(workspace, ".git/refs/heads/main"))).toBe(false);
      expect(existsSync(join(workspace, ".git/refs/heads/master"))).toBe(false);
    });

    test("protected files are neither read through the shell nor written by a tool", async () => {
      const { missed, workspace } = await converse(
        {
          turns: [
            call("cat ./.env"),
            { tool_calls: [{ tool: "write", path: "package-lock.json", content: "{}" }] },
            { tool_calls: [{ tool: "write", path: "free.txt", content: "free\n" }] },
            DONE,
          ],
          expect: [
            told(2, "which `secret-files` protects"),
            told(3, "which `lock-files` protects; let npm write it"),
            { request: "none", text: { contains: "of nobody's business" } },
            { exit_code: 0 },
          ],
        },
        (project) => writeFileSync(join(project, ".env"), "KEY=of nobody's business\n"),
      );
      expect(missed).toBeNull();
      expect(existsSync(join(workspace, "package-lock.json"))).toBe(false);
      expect(readFileSync(join(workspace, "free.txt"), "utf8")).toBe("free\n");
    });

    test("a person's own rule in the agent's settings stops a virtual command; without one it is answered", async () => {
      const says = (project: string): void => {
        const said =
          "say: { description: Say it, argv: [echo, VIRTUALLY-SAID], safety: read_only }\n";
        writeFileSync(join(project, ".adjutant/commands.yaml"), said);
      };
      const turns = [call("adj-say"), DONE];
      const answered = await converse(
        { turns, expect: [told(2, "VIRTUALLY-SAID"), { exit_code: 0 }] },
        says,
      );
      expect(answered.missed).toBeNull();
      const denied = await converse(
        {
          turns,
          expect: [
            told(2, "has been denied"),
            { request: "none", text: { contains: "VIRTUALLY-SAID" } },
          ],
        },
        (project) => {
          says(project);
          mkdirSync(join(project, ".claude"));
          const permissions = { deny: ["Bash(adj-say:*)"] };
          writeFileSync(join(project, ".claude/settings.json"), JSON.stringify({ permissions }));
        },
      );
      expect(denied.missed).toBeNull();
    });

    test("with nobody to ask the network is refused, but for the hosts that need no question", async () => {
      const { missed } = await converse({
        turns: [
          call("curl -s http://example.invalid"),
          call("curl -s http://127.0.0.1:9/ ; echo tried"),
          DONE,
        ],
        expect: [told(2, "it uses the network"), told(3, "tried"), { exit_code: 0 }],
      });
      expect(missed).toBeNull();
    });

    test("the agent goes on until the tests pass", async () => {
      const { missed } = await converse(
        {
          turns: [DONE, call("git show :sum.mjs > sum.mjs"), DONE],
          expect: [
            { request: 2, user: { contains: "`node --test` must succeed before you stop" } },
            { requests: 3 },
            { exit_code: 0 },
          ],
        },
        (project) => {
          execFileSync("git", ["add", "sum.mjs"], { cwd: project });
          writeFileSync(join(project, "sum.mjs"), "export const sum = () => 0;\n");
        },
      );
      expect(missed).toBeNull();
    });
  },
);
