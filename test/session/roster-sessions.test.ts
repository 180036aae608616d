// What the commands of a session say holds in a session of every agent of the roster, by its own card and tools.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENTS } from "../../src/agents/roster.ts";
import { programVariable } from "../../src/agents/run/availability.ts";
import { defineCommand } from "../../src/core/command/definition.ts";
import { ok } from "../../src/core/command/result.ts";
import { openGate } from "../../src/session/host/gate.ts";
import { makeProgram } from "../agents/run/scripted-agent.ts";
import { openTestProgram, type RunOptions } from "../support/program-of-commands.ts";
import { writeFiles } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait-until.ts";
import { runningTurn, sessionIdOf } from "./ended-turn.ts";

const FIXTURES = join(import.meta.dirname, "../agents");
const RECORDINGS = join(FIXTURES, "run/fixtures/recordings");
const ACP_AGENT = join(FIXTURES, "protocol/acp/fixtures/staying-agent.ts");
const KEYS = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" };

/** The session's agent is the one of the roster; its program plays what the real one has printed. */
async function openSession(agent: string) {
  const ran: string[] = [];
  const noting = (name: string, effect: "write" | "exclusive") =>
    defineCommand({
      description: name,
      effect,
      run: () => {
        ran.push(name);
        return ok();
      },
    });
  const opened = openTestProgram({
    commands: {
      change: noting("change", "write"),
      replace: noting("replace", "exclusive"),
      consult: defineCommand({
        description: "read a file and ask the agent of the session",
        run: async (_, context) => {
          const { output } = await context.tool("read", { path: "notes.txt" });
          const { text, log } = await context.agent(`say ${output}`);
          return ok(JSON.stringify({ output, text, agent: log.agent_info }));
        },
      }),
    },
  });
  const { folder, root, configDir } = opened;
  const play = `[ "$1" = --version ] && { echo 99.0.0; exit; }
cat '${join(RECORDINGS, agent, "a-plain", "stdout")}'`;
  const program = makeProgram({ folder, workspace: root, home: folder }, play);
  const params = agent === "acp" ? { argv: [process.execPath, ACP_AGENT] } : {};
  writeFiles(root, { "notes.txt": "notes" });
  writeFiles(configDir, { "config.yaml": JSON.stringify({ allow: ["touch a*"], params }) });
  const own = { PATH: process.env.PATH ?? "", HOME: folder };
  const env = { ...own, ...KEYS, [programVariable(agent)]: program };
  const run = (words: readonly string[], options: RunOptions = {}) =>
    opened.run(words, { env, ...options });
  const { kind, error } = await run(["provider", agent]);
  expect(kind, error?.message).toBe("ok");
  return { ...opened, ran, run };
}

/** A tool of the agent's own that runs a line; one of no name where it tells none. */
async function findShellTool(agent: (typeof AGENTS)[number]): Promise<readonly [string, string]> {
  const table = await agent.tools?.();
  for (const [name, { kind, line }] of Object.entries(table?.tools ?? {}))
    if (kind === "shell" && line !== undefined) return [name, line];
  return ["execute", "command"];
}

const STAYING = AGENTS.filter(({ conversation }) => conversation !== undefined);

test("the six, `acp` and `replay` keep a conversation", () => {
  const names = STAYING.map(({ name }) => name).sort();
  const six = ["claude-code", "codex", "copilot", "gemini", "opencode", "qwen"];
  expect(names).toEqual(["acp", ...six, "replay"].sort());
});

describe.each(STAYING)("in a session of $name", (agent) => {
  test("a write command runs beside a turn, an exclusive one after it", async () => {
    const opened = await openSession(agent.name);
    const { turns } = opened.program.sessions();
    const turn = runningTurn(opened, { agent: agent.name });
    const said: unknown[] = [];
    const waiting = opened.run(["replace"], { onProgress: (step) => void said.push(step) });
    await waitUntil(() => said.length > 0);
    expect((await opened.run(["change"])).kind).toBe("ok");
    expect(opened.ran).toEqual(["change"]);
    turns.end(turn.id, { status: "done", answer: null, conversation: null, problem: null });
    expect((await waiting).kind).toBe("ok");
    expect(opened.ran).toEqual(["change", "replace"]);
  });

  test("a command uses a tool and asks the very agent", async () => {
    const { run } = await openSession(agent.name);
    const { result, error } = await run(["consult"]);
    expect(error?.message).toBeUndefined();
    const said = JSON.parse(String(result.output));
    expect(said).toMatchObject({ output: "notes", agent: { name: agent.name } });
    expect(said.text).not.toBe("");
  });

  test("`mode` decides which of its tools a person is asked about", async () => {
    const opened = await openSession(agent.name);
    const [tool, line] = await findShellTool(agent);
    const asked: string[] = [];
    const gate = openGate(opened.program, async ({ text }) => {
      asked.push(text);
      return "no";
    });
    const { signal } = new AbortController();
    const { root } = opened;
    const turn = {
      ...{ runId: "r", turnId: "t", sessionId: sessionIdOf(opened), agent: agent.name },
      ...{ conversation: "c", root, cwd: root, env: {}, secrets: [], correlationId: "t", signal },
    };
    const answers: Record<string, string> = {};
    for (const mode of ["ask", "allowlist", "auto"]) {
      expect((await opened.run(["mode", mode])).kind).toBe("ok");
      for (const command of ["touch a", "touch b"]) {
        const callId = `${mode} ${command}`;
        const { kind } = await gate.decide(
          { callId, tool, args: { [line]: command }, signal },
          turn,
        );
        answers[callId] = kind;
      }
    }
    expect(answers).toEqual({
      ...{ "ask touch a": "deny", "ask touch b": "deny" },
      ...{ "allowlist touch a": "allow", "allowlist touch b": "deny" },
      ...{ "auto touch a": "allow", "auto touch b": "allow" },
    });
    expect(asked).toHaveLength(3);
  });
});
