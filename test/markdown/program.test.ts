// Markdown commands by the built program: what a user would see, whole.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { type Home, makeHome } from "../program/adj.ts";

const REVIEW = `---
description: Review the staged diff
cassette: explain-repository
inputs:
  focus: { description: what to look at, default: everything }
---
Review this change. Focus: {{ focus }}.

!\`echo "diff of $focus"\`
`;

const markdown = (frontMatter: string, body = "Say it.") =>
  `---\ndescription: For a test\n${frontMatter}\n---\n${body}\n`;

/** A program that repeats its prompt stands for an agent. */
const ECHO = "agent: command\nargv: [cat]";

function homeWith(files: Readonly<Record<string, string>>): Home {
  const home = makeHome();
  home.write(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`config/commands/${name}`, text]),
    ),
  );
  return home;
}

const outcomeOf = (stdout: string) => JSON.parse(stdout);

describe("a Markdown command", () => {
  it("runs its prompt by an agent and prints the answer", async () => {
    const home = homeWith({ "review.md": REVIEW });
    const { stdout, stderr, exitCode } = await home.adj("review");
    expect(stderr).toBe("");
    expect(stdout).toBe(
      "I will look at the files first.\nThis folder holds the files listed above; its README says what they are for. I read two things and changed nothing. This answer was played from a recording: no model was asked.\n",
    );
    expect(exitCode).toBe(0);
    const types = (await home.events()).map(({ type }) => type);
    expect(types).toEqual([
      "CommandDispatched",
      "AgentRunStarted",
      "AgentRunCompleted",
      "CommandResulted",
    ]);
  });

  it("fills in its inputs, words, the output of its commands and what the file says", async () => {
    const home = homeWith({
      "say.md": markdown(
        `${ECHO}\nargs: [what]\ninputs: { loud: { type: boolean }, times: { type: number, default: 2 } }\n$tone: kind`,
        "{{ what }}/{{ times }}/{% if loud %}LOUD{% endif %}/{{ tone }}/{{ agent }}\n!`printf '%s' \"$what\"`",
      ),
    });
    const printed = await home.adj("say", "a b", "--loud", "--times=3");
    expect(printed).toMatchObject({ stdout: "a b/3/LOUD/kind/command\na b\n", exitCode: 0 });
  });

  it("answers with the outcome and what is known of the run", async () => {
    const home = homeWith({
      "say.md": markdown("agent: command\nargv: [sh, -c, cat, sh]\nverbose: true", "Hello."),
    });
    const { stdout } = await home.adj("--json", "say");
    const { kind, result } = outcomeOf(stdout);
    expect(kind).toBe("ok");
    expect(result.output).toBe("Hello.");
    expect(result.metadata).toMatchObject({
      agent: "command",
      model: null,
      command: "sh",
      args: ["-c", "cat", "sh", "--verbose"],
      cost: null,
      usage: { source: "unknown" },
    });
    expect(JSON.parse(readFileSync(result.metadata.logPath, "utf8")).run_id).toBe(
      result.metadata.runId,
    );
  });

  it("is a stream of events that ends with one result", async () => {
    const home = homeWith({ "review.md": REVIEW });
    const { stdout } = await home.adj("review", "--events");
    const kinds = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).kind);
    expect(kinds.filter((kind) => kind === "result")).toEqual(["result"]);
    expect(kinds.at(-1)).toBe("result");
  });

  it("passes a prompt of 5 MB whole", async () => {
    const home = homeWith({
      "count.md": markdown("agent: command\nargv: [wc, -c]", "@./long.txt"),
      "long.txt": "0123456789abcdef\n".repeat(320_000),
    });
    const { stdout, stderr, exitCode } = await home.adj("count");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(Number(stdout)).toBeGreaterThan(17 * 320_000);
  });

  it("may have the agent in its name, an alias, and be listed", async () => {
    const home = homeWith({ "play.replay.md": markdown("aliases: [again]"), "README.md": "# x" });
    expect((await home.adj("again")).exitCode).toBe(0);
    const { stdout } = await home.adj("--json", "commands", "play");
    expect(stdout).toContain("play.replay.md");
    const { stdout: all } = await home.adj("commands");
    expect(all).not.toContain("README");
  });

  it("takes what is piped in where its text mentions it", async () => {
    const home = homeWith({ "say.md": markdown(ECHO, "[{{ stdin }}]") });
    const { stdout } = await home.adjIn({ stdin: "{{ focus }} !`id`" }, "say");
    expect(stdout).toBe("[{{ focus }} !`id`]\n");
  });

  it("in a project runs as it was trusted", async () => {
    const home = makeHome();
    const file = "project/.adjutant/commands/say.md";
    home.write({
      [file]: markdown(ECHO, "one @./part.txt"),
      "project/.adjutant/commands/part.txt": "P",
    });
    const untrusted = await home.adj("say");
    expect(untrusted.exitCode).toBe(126);
    await home.trust();
    expect((await home.adj("-q", "say")).stdout).toContain("one ");
    home.write({ [file]: markdown(ECHO, "two"), "project/.adjutant/commands/part.txt": "Q" });
    const { stdout } = await home.adj("-q", "say");
    expect(stdout).toContain("one ");
    expect(stdout).toContain("\nP\n");
  });
});

describe("before and after the agent", () => {
  it("`pre` is part of the prompt, `post` knows how it ended", async () => {
    const home = homeWith({
      "say.md": markdown(
        `${ECHO}\npre: echo first\nbefore: [echo second]\npost: echo "code $ADJ_EXIT_CODE"; test -s "$ADJ_LOG_PATH"`,
        "[{{ pre }}]",
      ),
    });
    const printed = await home.adj("say");
    expect(printed).toMatchObject({ stdout: "[first\nsecond]\n", stderr: "code 0\n", exitCode: 0 });
  });

  it("a failing `pre` stops the command with its own code", async () => {
    const home = homeWith({ "say.md": markdown(`${ECHO}\npre: echo no >&2; exit 7`) });
    const { stdout, stderr, exitCode } = await home.adj("say");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 7 });
    expect(stderr).toContain("adj: `pre` of `say`: `echo no >&2; exit 7` exited with 7: no");
  });

  it("a failing `post` fails the command unless it is optional", async () => {
    const home = homeWith({
      "strict.md": markdown(`${ECHO}\npost: exit 9`),
      "easy.md": markdown(`${ECHO}\npost: exit 9\npost_optional: true`),
    });
    const strict = await home.adj("strict");
    expect(strict).toMatchObject({ stdout: "Say it.\n", exitCode: 9 });
    expect(strict.stderr).toBe("adj: `post` of `strict`: `exit 9` exited with 9\n");
    const easy = await home.adj("easy");
    expect(easy).toMatchObject({
      stdout: "Say it.\n",
      stderr: "`post` of `easy`: `exit 9` exited with 9\n",
      exitCode: 0,
    });
  });

  it("`post` also runs after an agent that failed, whose code stays", async () => {
    const home = homeWith({
      "say.md": markdown("agent: command\nargv: [sh, -c, exit 5]\npost: echo $ADJ_EXIT_CODE"),
    });
    const { stderr, exitCode } = await home.adj("say");
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(/^5\nadj: agent `command` failed: /);
  });
});

describe("without running anything", () => {
  it("--dry-run shows the words, the environment's names, the folder and the prompt", async () => {
    const home = homeWith({
      "say.md": markdown(
        `${ECHO}\npre: touch ran\nenv: { TOKEN: abc }`,
        "{{ pre }}\n!`touch ran`\nEnd.",
      ),
    });
    const { stdout, exitCode } = await home.adj("say", "--dry-run", "--verbose=a b");
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`agent: command (the file names it)
argv: cat --verbose 'a b'
cwd: ${home.project}
env: ADJ_CONFIG_DIR ADJ_CORRELATION_ID ADJ_SESSION_ID ADJ_STATE_DIR HOME PATH TMPDIR TOKEN XDG_CACHE_HOME
pre, not run: touch ran
inline, not run: touch ran
prompt: about 8 tokens, by stdin

!\`touch ran\`
!\`touch ran\`
End.
`);
    expect((await home.adjIn({}, "--json", "commands")).stdout).not.toContain("ran");
  });

  it("explain says which agent and why, and what would happen", async () => {
    const home = homeWith({ "review.md": REVIEW });
    const { stdout, exitCode } = await home.adj("explain", "review", "--focus", "tests");
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`review: Review the staged diff
defined in: ${join(home.configDir, "commands/review.md")}

agent: replay, because the file names a cassette
model: the agent's own default
flags: explain-repository
prompt: about 15 tokens

inputs
  focus = tests  what to look at

effects
  runs echo "diff of $focus"      line 9
  session: read; world: mutating
`);
    const { stdout: json } = await home.adj("explain", "review", "--agent=claude", "--json");
    const { metadata } = outcomeOf(json).result;
    expect(metadata).toMatchObject({
      agent: "claude-code",
      why: "`--agent` names it",
      effects: [{ kind: "command", subject: 'echo "diff of $focus"' }],
      tokens: 17,
    });
    expect(metadata.args).toContain("-p");
  });

  it("a secret is shown nowhere", async () => {
    const secret = "tr0ub4dor&3";
    const home = homeWith({
      "say.md": markdown(`${ECHO}\ninputs: { key: { type: secret } }`, "Use {{ key }}."),
    });
    const dry = await home.adj("say", `--key=${secret}`, "--dry-run");
    expect(dry.stdout).toContain("Use [secret].");
    const ran = outcomeOf((await home.adj("--json", "say", `--key=${secret}`)).stdout);
    expect(readFileSync(ran.result.metadata.logPath, "utf8")).not.toContain(secret);
    expect(JSON.stringify(await home.events())).not.toContain(secret);
  });
});

describe("what is wrong is said before anything runs", () => {
  const file = (name: string) => `config/commands/${name}`;
  test.each<[string, string, string[], string, number]>([
    [
      "broken YAML",
      "---\ndescription: [a\nmodel: x\n---\nHi\n",
      [],
      "adj: `bad` could not be loaded: FILE:3:1: not YAML: flow sequence in block collection must be sufficiently indented and end with a ]\n",
      2,
    ],
    [
      "front matter that does not end",
      "---\ndescription: a\n",
      [],
      "adj: `bad` could not be loaded: FILE:1:1: the front matter does not end: a second line `---` is missing\n",
      2,
    ],
    [
      "no description",
      "Hi\n",
      [],
      "adj: `bad` could not be loaded: FILE:1:1: `description` is missing\n",
      2,
    ],
    [
      "an unknown key of an input",
      markdown("inputs:\n  focus: { defualt: x }"),
      [],
      "adj: `bad` could not be loaded: FILE:4:12: unknown key `defualt`; did you mean `default`?\n",
      2,
    ],
    [
      "a variable that is a map",
      markdown(`${ECHO}\nenv: { A: { b: c } }`),
      [],
      "adj: `bad` could not be loaded: FILE:5:11: `A` must be text, a number, true or false; null takes the variable away\n",
      2,
    ],
    [
      "an unknown flag",
      markdown("agent: claude\nverbos: true"),
      [],
      "adj: FILE:4:1: `claude-code` 2.1.325 has no flag `--verbos`; did you mean `--verbose`? `--force-flags` passes it all the same\n",
      2,
    ],
    [
      "an unknown flag on the command line",
      markdown("agent: claude\ninputs: { focus: { default: x } }", "{{ focus }}"),
      ["--focsu=y"],
      "adj: `bad`: `claude-code` 2.1.325 has no flag `--focsu`; did you mean `--focus`? `--force-flags` passes it all the same\n",
      2,
    ],
    [
      "a map where a value belongs",
      markdown("agent: claude\nsettings: { env: {} }"),
      [],
      "adj: FILE:4:11: `settings` takes a value or a list of values, not a map\n",
      2,
    ],
    [
      "a setting that the agent cannot honour",
      markdown("agent: claude\ntemperature: 0.5"),
      [],
      "adj: FILE:4:1: `claude-code` has no control for `temperature`; remove it, or run the command with another agent\n",
      2,
    ],
    [
      "a setting with a wrong value",
      markdown("agent: claude\nmax-turns: many"),
      [],
      "adj: FILE:4:12: `max-turns` must be a number\n",
      2,
    ],
    [
      "missing inputs, all at once",
      markdown(
        `${ECHO}\nargs: [file]\ninputs: { focus: {}, depth: { type: number } }`,
        "{{ file }}",
      ),
      [],
      "adj: `bad`: `--focus`, `--depth`, `<file>` are missing; see `adj help bad`\n",
      2,
    ],
    [
      "an agent that nobody knows",
      markdown("agent: clod"),
      [],
      "adj: unknown agent `clod`; list all with `adj agent list`\n",
      1,
    ],
    [
      "an agent that is not there",
      markdown("agent: codex"),
      [],
      "adj: agent `codex` cannot be run: `codex` was not found on PATH; install it with `npm install -g @openai/codex`\n",
      127,
    ],
    [
      "a prompt over the model's context",
      markdown(`${ECHO}\ncontext_window: 3`, "One two three four five six seven."),
      [],
      "adj: the prompt: about 9 tokens are more than the 3 of `context_window`; import or pipe in less, or set `context_window` where the model takes more\n",
      2,
    ],
    [
      "a word too many",
      markdown("agent: claude\n$3: model"),
      ["one"],
      "adj: `bad`: word 1 is one too many: `claude-code` takes none besides the prompt; see `adj help bad`\n",
      2,
    ],
  ])("%s", async (_, text, words, stderr, exitCode) => {
    const home = homeWith({ "bad.md": text });
    home.write({ "bin/claude": "#!/bin/sh\necho '2.1.325 (Claude Code)'\n" });
    const { chmodSync } = await import("node:fs");
    chmodSync(join(home.folder, "bin/claude"), 0o755);
    const env = { ...home.env, PATH: `${join(home.folder, "bin")}:/usr/bin:/bin` };
    const printed = await home.adjIn(
      { env: { ...env, ADJ_NODE: process.execPath } },
      "bad",
      ...words,
    );
    const shown = printed.stderr.replaceAll(join(home.folder, file("bad.md")), "FILE");
    expect({ stderr: shown, stdout: printed.stdout, exitCode: printed.exitCode }).toEqual({
      stderr,
      stdout: "",
      exitCode,
    });
  });

  it("no agent at all", async () => {
    const home = homeWith({ "say.md": markdown("model: x") });
    const env = { ...home.env, PATH: "/usr/bin:/bin" };
    const { stderr, exitCode } = await home.adjIn({ env }, "say");
    expect(exitCode).toBe(127);
    expect(stderr).toBe(
      "adj: no agent is installed: none of `claude`, `codex`, `gemini`, `opencode`, `copilot`, `qwen` is on PATH; install one, such as with `npm install -g @anthropic-ai/claude-code`, or name one with `--agent`\n",
    );
  });

  it("more than three agents deep", async () => {
    const home = homeWith({
      "say.md": markdown(`${ECHO}\ninherit-env: true`, "!`echo $ADJ_DEPTH`"),
    });
    const deep = await home.adjIn({ env: { ...home.env, ADJ_DEPTH: "4" } }, "say");
    expect(deep).toMatchObject({
      stderr: "adj: `say` was dispatched more than 3 commands deep; `ADJ_DEPTH` counts them\n",
      exitCode: 2,
    });
    const counted = homeWith({
      "depth.md": markdown("agent: command\nargv: [sh, -c, echo $ADJ_DEPTH]"),
    });
    const below = { env: { ...counted.env, ADJ_DEPTH: "2" } };
    expect((await counted.adjIn(below, "depth")).stdout).toBe("3\n");
  });
});

describe("the agent is chosen", () => {
  test.each<[string, string, string, NodeJS.ProcessEnv, string[], string]>([
    [
      "by the flag first",
      "say.codex.md",
      "agent: claude",
      { ADJ_AGENT: "qwen" },
      ["--agent=gemini"],
      "gemini",
    ],
    ["then by the environment", "say.codex.md", "agent: claude", { ADJ_AGENT: "qwen" }, [], "qwen"],
    ["then by the file", "say.codex.md", "agent: claude", {}, [], "claude-code"],
    ["then by a cassette", "say.codex.md", "cassette: x", {}, [], "replay"],
    ["then by the file's name", "say.codex.md", "effect: read", {}, [], "codex"],
    ["then by the settings", "say.md", "effect: read", {}, [], "opencode"],
  ])("%s", async (_, name, frontMatter, env, words, agent) => {
    const home = homeWith({ [name]: markdown(frontMatter) });
    home.write({ "config/config.yaml": "agent: opencode\n" });
    const place = { env: { ...home.env, ...env } };
    const { stdout } = await home.adjIn(place, "explain", "say", ...words, "--json");
    expect(outcomeOf(stdout).result.metadata.agent).toBe(agent);
  });
});
