import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentOptions } from "../../../src/core/command/context.ts";
import { type CommandFields, defineCommand } from "../../../src/core/command/definition.ts";
import { ok } from "../../../src/core/command/result.ts";
import { splitWords } from "../../../src/core/command/words.ts";
import { isRunning } from "../../core/process/programs.ts";
import {
  openTestProgram,
  type RunOptions,
  type TestProgram,
} from "../../support/program-of-commands.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** A command that asks an agent and prints what came of it. */
const asking = (fields: Partial<CommandFields> = {}) =>
  defineCommand({
    description: "ask an agent",
    ...fields,
    parseArgs: (line) => JSON.parse(splitWords(line)[1] ?? ""),
    run: async (options: AgentOptions, context) =>
      ok(JSON.stringify(await context.agent("how many?", options))),
  });

function openLab() {
  const opened = openTestProgram({ commands: { ask: asking(), relay: asking({ agents: true }) } });
  const env = { PATH: process.env.PATH ?? "", HOME: opened.folder };
  return {
    ...opened,
    ask: (
      options: AgentOptions,
      { command = "ask", ...rest }: RunOptions & { command?: string } = {},
    ) => opened.run([command, JSON.stringify(options)], { ...rest, env: { ...env, ...rest.env } }),
  };
}

/** An agent that is a shell line; it finds the prompt on stdin. */
const agent = (line: string): AgentOptions => ({
  agent: "command",
  params: { argv: ["sh", "-c", line] },
});

const answerOf = ({ result }: Awaited<ReturnType<TestProgram["run"]>>) =>
  JSON.parse(String(result.output));

const NUMBER = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

describe("an agent run by a command", () => {
  test("answers with text, log and cost, and is no output of the command's own", async () => {
    const lab = openLab();
    let shown = "";
    const onOutput = (chunk: Uint8Array) => {
      shown += Buffer.from(chunk).toString();
    };
    const answer = answerOf(await lab.ask(agent("echo three; cat >got"), { onOutput }));
    expect(answer).toMatchObject({ text: "three", data: null, cost: null });
    expect(answer.log).toMatchObject({ agent_info: { name: "command" }, version: 1 });
    expect(shown).toBe("");
    expect(readFileSync(join(lab.root, "got"), "utf8")).toBe("how many?");
    const types = [...lab.program.audit.read({})].map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(["CommandDispatched", "AgentRunStarted", "AgentRunCompleted"]),
    );
    expect(existsSync(join(lab.stateDir, "runs", answer.log.run_id, "log.json"))).toBe(true);
  });

  test("is the one that is chosen where none is named", async () => {
    const lab = openLab();
    const played = await lab.ask({}, { env: { ADJ_AGENT: "replay" } });
    expect(answerOf(played).log.agent_info.name).toBe("replay");
    expect(await lab.ask({})).toMatchObject({
      kind: "rejected",
      error: { message: expect.stringContaining("no agent is named and none is chosen") },
    });
  });

  test("takes the session's params, below those of the command and above the settings", async () => {
    const lab = openLab();
    const argvOf = (word: string) => `argv=["echo","${word}"]`;
    const said = async (options: AgentOptions) =>
      answerOf(await lab.ask({ agent: "command", ...options })).text;
    await lab.run(["config", "set", "params.argv", '["echo","settings"]']);
    expect(await said({})).toBe("settings");
    await lab.run(["params", argvOf("session")]);
    expect(await said({})).toBe("session");
    expect(await said({ params: { argv: ["echo", "command"] } })).toBe("command");
    expect(await lab.ask({ ...agent("true"), params: { colour: "red" } })).toMatchObject({
      kind: "rejected",
      error: { message: expect.stringContaining("`command` has no place for `colour`") },
    });
  });

  test("gives data that fits the schema it is told of", async () => {
    const lab = openLab();
    const line = `cat >got; printf '%s' 'Here: ' '' >&2; printf '{"n": 3}'`;
    const answer = answerOf(await lab.ask({ ...agent(line), schema: NUMBER }));
    expect(answer.data).toEqual({ n: 3 });
    expect(readFileSync(join(lab.root, "got"), "utf8")).toContain(JSON.stringify(NUMBER));
  });

  test("is asked once more where its data does not fit, and told why", async () => {
    const lab = openLab();
    const line = `cat >>got; if test -e once; then echo '{"n":3}'; else touch once; echo '{"n":"3"}'; fi`;
    const answer = answerOf(await lab.ask({ ...agent(line), schema: NUMBER }));
    expect(answer.data).toEqual({ n: 3 });
    const got = readFileSync(join(lab.root, "got"), "utf8");
    expect(got.match(/how many\?/g)).toHaveLength(2);
    expect(got).toContain("`n` must be integer");
    expect(got).toContain('{"n":"3"}');
  });

  test("that never gives data that fits has failed", async () => {
    const lab = openLab();
    const outcome = await lab.ask({ ...agent("echo x >>asked; echo three"), schema: NUMBER });
    expect(outcome.error).toMatchObject({ class: "Agent", code: "AgentRunFailed" });
    expect(outcome.error?.message).toContain("does not fit the schema: it holds no JSON");
    expect(readFileSync(join(lab.root, "asked"), "utf8")).toBe("x\nx\n");
  });

  test("that fails is the command's failure, with the code of the run", async () => {
    const outcome = await openLab().ask(agent("echo no >&2; exit 3"));
    expect(outcome).toMatchObject({ kind: "failed", error: { class: "Agent" } });
  });

  test.each<[AgentOptions, string]>([
    [{ schema: { type: "nonsense" } }, "`schema` is no JSON Schema"],
    [{ agent: "replay", timeout: "soon" }, "`timeout` must be a duration"],
  ])("with %j is a mistake of the command", async (options, problem) => {
    const outcome = await openLab().ask(options);
    expect(outcome.error?.message).toContain(problem);
  });

  test("ends with its command", async () => {
    const lab = openLab();
    const stop = new AbortController();
    const line = "echo $$ >pid; exec sleep 60";
    const running = lab.ask(agent(line), { signal: stop.signal });
    const pidFile = join(lab.root, "pid");
    await waitUntil(() => existsSync(pidFile) && readFileSync(pidFile, "utf8").endsWith("\n"));
    stop.abort();
    expect((await running).kind).toBe("cancelled");
    const pid = Number(readFileSync(pidFile, "utf8"));
    await waitUntil(() => !isRunning(pid));
  });
});

describe("below an agent", () => {
  const refused = { kind: "rejected", error: { code: "AgentNotStarted" } };

  test("only a command whose definition says so may start another", async () => {
    const lab = openLab();
    const below = { env: { CLAUDECODE: "1" } };
    expect(await lab.ask(agent("echo hi"), below)).toMatchObject(refused);
    const allowed = await lab.ask(agent("echo $ADJ_DEPTH"), { ...below, command: "relay" });
    expect(answerOf(allowed).text).toBe("1");
  });

  test("three are the most that are around each other", async () => {
    const lab = openLab();
    const at = (depth: string) =>
      lab.ask(agent("echo $ADJ_DEPTH"), { command: "relay", env: { ADJ_DEPTH: depth } });
    expect(answerOf(await at("2")).text).toBe("3");
    expect(await at("3")).toMatchObject(refused);
  });
});
