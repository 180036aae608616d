// What a user is told, whole, when a Markdown command cannot run as it stands.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { quoteNames } from "../../../src/core/command/names.ts";
import { PROGRAM_NAMES } from "../../support/agents.ts";
import { sampled } from "../../support/tier.ts";
import { ECHO, homeWith, markdown, outcomeOf } from "./markdown-home.ts";

describe("what is wrong is said before anything runs", () => {
  const file = (name: string) => `config/commands/${name}`;
  test.each(
    sampled<[string, string, string[], string, number]>([
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
        "adj: FILE:3:8: unknown agent `clod`; list all with `adj agent list`\n",
        2,
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
    ]),
  )("%s", async (_, text, words, stderr, exitCode) => {
    const home = homeWith({ "bad.md": text });
    home.write({ "bin/claude": "#!/bin/sh\necho '2.1.325 (Claude Code)'\n" });
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
      `adj: no agent is installed: none of ${quoteNames(PROGRAM_NAMES)} is on PATH; install one, such as with \`npm install -g @anthropic-ai/claude-code\`, or name one with \`--agent\`\n`,
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
  test.each(
    sampled<[string, string, string, NodeJS.ProcessEnv, string[], string]>([
      [
        "by the flag first",
        "say.codex.md",
        "agent: claude",
        { ADJ_AGENT: "qwen" },
        ["--agent=gemini"],
        "gemini",
      ],
      [
        "then by the environment",
        "say.codex.md",
        "agent: claude",
        { ADJ_AGENT: "qwen" },
        [],
        "qwen",
      ],
      ["then by the file", "say.codex.md", "agent: claude", {}, [], "claude-code"],
      ["then by a cassette", "say.codex.md", "cassette: x", {}, [], "replay"],
      ["then by the file's name", "say.codex.md", "effect: read", {}, [], "codex"],
      ["then by the settings", "say.md", "effect: read", {}, [], "opencode"],
    ]),
  )("%s", async (_, name, frontMatter, env, words, agent) => {
    const home = homeWith({ [name]: markdown(frontMatter) });
    home.write({ "config/config.yaml": "agent: opencode\n" });
    const place = { env: { ...home.env, ...env } };
    const { stdout } = await home.adjIn(place, "explain", "say", ...words, "--json");
    expect(outcomeOf(stdout).result.metadata.agent).toBe(agent);
  });
});
