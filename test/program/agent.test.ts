import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sampled } from "../support/tier.ts";
import { makeHome } from "./adj.ts";

const RECORDINGS = join(import.meta.dirname, "../agents/run/fixtures/recordings");
const program = (script: string) => ["--set", `argv=${JSON.stringify(["sh", "-c", script])}`];

describe("adj agent run", () => {
  it("plays a recorded run in the workspace, shows the answer and keeps the log", async () => {
    const home = makeHome();
    home.write({ "project/README.md": "# Lighthouse\n" });
    const run = await home.adj("agent", "run", "replay");
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run.stdout).toContain("I will look at the files first.\n");
    const log = JSON.parse((await home.adj("agent", "log", "--json")).stdout);
    expect(log).toMatchObject({ agent_info: { name: "replay" }, execution: { status: "success" } });
    expect(log.tool_calls[1].result).toContain("# Lighthouse");
    const [folder = ""] = readdirSync(join(home.stateDir, "runs"));
    expect(
      JSON.parse(readFileSync(join(home.stateDir, "runs", folder, "log.json"), "utf8")),
    ).toEqual(log);
  });

  it("gives the outcome with the log as one object, or every event as a line", async () => {
    const home = makeHome();
    const outcome = JSON.parse((await home.adj("agent", "run", "replay", "--json")).stdout);
    expect(outcome).toMatchObject({
      kind: "ok",
      result: { metadata: { agent: "replay", log: { version: 1 } } },
    });
    const { stdout } = await home.adj("agent", "run", "replay", "--events");
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["tool_call", "final"]));
    expect(events.at(-1)).toMatchObject({
      kind: "result",
      log: { execution: { status: "success" } },
    });
  });

  it("records the run beside the command", async () => {
    const home = makeHome();
    await home.adj("agent", "run", "replay");
    const events = (await home.adj("log", "--json")).stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const kinds = events.map(({ type }) => type);
    expect(kinds.slice(0, 4)).toEqual([
      "CommandDispatched",
      "AgentRunStarted",
      "AgentRunCompleted",
      "CommandResulted",
    ]);
    expect(new Set(events.slice(0, 4).map(({ correlationId }) => correlationId)).size).toBe(1);
    expect(events[2].data).toMatchObject({
      agent: "replay",
      status: "success",
      error: null,
      tokens: null,
    });
  });

  it.each(
    sampled([
      ["a program that answers", "cat; echo '!'", 0, "hello!\n", ""],
      [
        "a program that fails",
        "echo half; exit 7",
        7,
        "half\n",
        /^adj: agent `command` failed: .*see `adj agent log /,
      ],
      ["a program that does not end", "sleep 60", 124, "", /did not finish|timed out|within/],
    ]),
  )("%s", async (_, script, exitCode, stdout, stderr) => {
    const home = makeHome();
    const words = [
      "agent",
      "run",
      "command",
      "--prompt",
      "hello",
      "--timeout",
      "2s",
      ...program(script),
    ];
    const run = await home.adj(...words);
    expect(run).toMatchObject({ exitCode, stdout });
    expect(run.stderr).toMatch(stderr);
  });

  it("takes the prompt from what is piped in", async () => {
    const home = makeHome();
    const { stdout } = await home.adjIn(
      { stdin: "from a pipe" },
      "agent",
      "run",
      "command",
      ...program("cat"),
    );
    expect(stdout).toBe("from a pipe\n");
  });

  it.each(
    sampled([
      ["an agent that is not installed", ["codex", "--prompt", "x"], 127, "CODEX_CLI_NOT_FOUND"],
      ["an agent that is not known", ["codx", "--prompt", "x"], 2, "AgentUnknown"],
      [
        "a setting that does not exist",
        ["command", "--prompt", "x", ...program("cat"), "--set", "wings=2"],
        2,
        "COMMAND_INVALID_CONFIG",
      ],
      ["no prompt", ["command", ...program("cat")], 2, "ArgumentsInvalid"],
    ]),
  )("%s is said before anything runs", async (_, words, exitCode, code) => {
    const home = makeHome();
    // The machine may have every one of the CLIs: here there is Node alone.
    const PATH = join(home.folder, "bin");
    mkdirSync(PATH);
    symlinkSync(process.execPath, join(PATH, "node"));
    const env = { ...home.env, PATH };
    const run = await home.adjIn({ env }, "--json", "agent", "run", ...words);
    expect(run.exitCode).toBe(exitCode);
    expect(JSON.parse(run.stdout).error.code).toBe(code);
  });

  it("masks secrets in the log it keeps", async () => {
    const home = makeHome();
    const key = `sk-ant-${"a1B2".repeat(8)}`;
    await home.adj("agent", "run", "command", "--prompt", `the key is ${key}`, ...program("true"));
    const log = await home.adj("agent", "log", "--json");
    expect(log.stdout).toContain("the key is [secret]");
    expect(log.stdout).not.toContain(key);
  });

  it("writes a cassette that plays the same run again", async () => {
    const home = makeHome();
    await home.adj(
      "agent",
      "run",
      "command",
      "--prompt",
      "x",
      "--record",
      "take.json",
      ...program("echo recorded"),
    );
    expect(existsSync(join(home.project, "take.json"))).toBe(true);
    const again = await home.adj("agent", "run", "replay", "--cassette", "take.json");
    expect(again).toMatchObject({ exitCode: 0, stdout: "recorded\n" });
  });
});

describe("adj agent log and normalize", () => {
  it.each(
    sampled([
      ["as text", [], /^agent {5}replay/],
      ["as Markdown", ["--md"], /^## `replay`/],
      ["as a page", ["--html"], /^<!doctype html>/i],
    ]),
  )("%s", async (_, flags, beginning) => {
    const home = makeHome();
    await home.adj("agent", "run", "replay");
    expect((await home.adj("agent", "log", ...flags)).stdout).toMatch(beginning);
  });

  it("says when there is no such run", async () => {
    const run = await makeHome().adj("agent", "log", "20200101");
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toBe(
      "adj: `adj agent log`: there is no run `20200101`; runs are made by `adj agent run`\n",
    );
  });

  it("makes the same log of a saved stream, from a file or a pipe", async () => {
    const home = makeHome();
    const file = join(RECORDINGS, "codex", "b-shell", "stdout");
    const fromFile = JSON.parse((await home.adj("agent", "normalize", "codex", file)).stdout);
    const piped = await home.adjIn(
      { stdin: readFileSync(file, "utf8") },
      "agent",
      "normalize",
      "codex",
      "-",
    );
    const { run_id: _, execution: __, ...rest } = JSON.parse(piped.stdout);
    expect(fromFile).toMatchObject(rest);
    expect(rest.tool_calls).toHaveLength(1);
  });

  it("lists every agent, with what is missing where it is not here", async () => {
    const { result } = JSON.parse((await makeHome().adj("agent", "list", "--json")).stdout);
    const agents: { name: string; available: boolean; problem?: string }[] = result.metadata.agents;
    const names = agents.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["claude-code", "codex", "gemini", "opencode"]));
    expect(names).toEqual(expect.arrayContaining(["copilot", "qwen", "command", "replay"]));
    expect(agents.find(({ name }) => name === "replay")).toMatchObject({ available: true });
    for (const { available, problem } of agents)
      if (!available) expect(problem).toContain("install");
  });
});
