// Markdown commands by the built program: what a user would see, whole.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { makeHome } from "../../program/adj.ts";
import { ECHO, homeWith, markdown, outcomeOf } from "./markdown-home.ts";

const REVIEW = `---
description: Review the staged diff
cassette: explain-repository
inputs:
  focus: { description: what to look at, default: everything }
---
Review this change. Focus: {{ focus }}.

!\`echo "diff of $focus"\`
`;

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

  it("says its words as they came, without a quote or a backslash of ours", async () => {
    const home = homeWith({ "say.md": markdown(ECHO, "<{{ args }}>") });
    const words = ["it's", 'say "hi"', "$x `id` $(id)", "a\\b", "--flag", "--to=x y", "{{ args }}"];
    const printed = await home.adj("say", "--", ...words);
    expect(printed).toMatchObject({ stdout: `<${words.join(" ")}>\n`, stderr: "", exitCode: 0 });
  });

  it("names a file that it imports as the agent finds it from its folder", async () => {
    const home = homeWith({ "say.md": markdown(ECHO, "@./rules.md"), "rules.md": "Be kind\n" });
    const { stdout } = await home.adj("say");
    const path = /<file path="([^"]*)">/.exec(stdout)?.[1] ?? "";
    expect(path).toMatch(/^\.\.\//);
    expect(readFileSync(resolve(home.project, path), "utf8")).toBe("Be kind\n");
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

  it("an explanation needs no inputs", async () => {
    const home = homeWith({
      "say.md": markdown(`${ECHO}\ninputs: { a: {} }`, "{{ a }} {{ arg1 }}"),
    });
    const { stdout } = await home.adj("explain", "say", "--json");
    expect(outcomeOf(stdout).result.metadata.prompt).toContain("<a> <arg1>");
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
