// What a plan shows must be what a run does: what is piped in, the cassette, variables that stay text.
import { describe, expect, it } from "vitest";
import { ADJ, makeHome, run } from "../../program/adj.ts";

const markdown = (frontMatter: string, body: string) =>
  `---\ndescription: For a test\n${frontMatter}\n---\n${body}\n`;

const cassette = (said: string) => JSON.stringify({ adjutant: 1, steps: [{ say: said }] });

describe("a plan", () => {
  it("holds what is piped in, as a run would", async () => {
    const home = makeHome();
    const fields = "agent: command\nargv: [cat]";
    home.write({ "config/commands/say.md": markdown(fields, "[{{ stdin }}]") });
    home.write({ "config/commands/plain.md": markdown(fields, "Say it.") });
    const said = await home.adjIn({ stdin: "piped" }, "say", "--dry-run");
    expect(said.stdout).toMatch(/\n\n\[piped\]\n$/);
    // By a shell: what a test writes to comes through a socket, and nobody pipes by one.
    const typed = ["-c", 'printf piped | "$0" plain --dry-run', ADJ];
    const plain = await run("sh", typed, { cwd: home.project, env: home.env });
    expect(plain.stdout).toContain("## Standard input\n\n<stdin>\npiped\n</stdin>");
  });

  it("notes a variable that stays text because it stands in code", async () => {
    const home = makeHome();
    const fields = "agent: command\nargv: [cat]\nargs: [path]";
    const body = "Read `{{ path }}`, {{ path }} and `{{ other }}`.\n\n```\n{{cwd}}\n```";
    home.write({ "config/commands/say.md": markdown(fields, body) });
    const { stdout } = await home.adj("say", "a.txt", "--dry-run");
    const notes = [
      "line 7: `{{ path }}` stays text, for it stands in code",
      "line 10: `{{ cwd }}` stays text, for it stands in code",
    ];
    expect(stdout).toContain(notes.map((note) => `note: ${note}\n`).join(""));
    expect(stdout).toContain("Read `{{ path }}`, a.txt and `{{ other }}`.");
    const explained = await home.adj("--json", "explain", "say", "a.txt");
    expect(JSON.parse(explained.stdout).result.metadata.notes).toEqual(notes);
  });
});

describe("a cassette", () => {
  it("of the command line is found from where it was typed, by flag or by parameter", async () => {
    const home = makeHome();
    home.write({
      "config/commands/say.md": markdown("agent: codex", "Say it."),
      "project/deep/played.json": cassette("typed"),
    });
    const cwd = `${home.project}/deep`;
    for (const words of [["--cassette=played.json"], ["--param", "cassette=played.json"]]) {
      const printed = await home.adjIn({ cwd }, "say", "--agent=replay", ...words);
      expect(printed).toMatchObject({ stdout: "typed\n", stderr: "", exitCode: 0 });
    }
  });

  it("of a project's file is found from its folder, and as it was trusted", async () => {
    const home = makeHome();
    home.write({
      "project/.adjutant/commands/say.md": markdown("cassette: ../played.json", "Say it."),
      "project/.adjutant/played.json": cassette("trusted"),
      "project/deep/x": "",
    });
    await home.trust();
    const cwd = `${home.project}/deep`;
    expect(await home.adjIn({ cwd }, "say")).toMatchObject({ stdout: "trusted\n", exitCode: 0 });
    home.write({ "project/.adjutant/played.json": cassette("changed since") });
    expect((await home.adjIn({ cwd }, "-q", "say")).stdout).toBe("trusted\n");
  });
});
