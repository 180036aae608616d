import { describe, expect, it, test } from "vitest";
import { adapterOf } from "../../support/agents.ts";
import { ask, refuse, translate } from "../argv/ask-translation.ts";

describe("what the agent does not take is refused", () => {
  const NO_FLAG = "`--force-flags` passes it all the same";
  test.each<[string, Record<string, unknown>, (string | number)[], string, string | null]>([
    [
      "claude-code",
      { verbos: true },
      ["verbos"],
      "`claude-code` 2.1.325 has no flag `--verbos`; did you mean `--verbose`?",
      NO_FLAG,
    ],
    ["codex", { "no-such": 1 }, ["no-such"], "`codex` has no flag `--no-such`", NO_FLAG],
    [
      "claude-code",
      { allowed_tools: ["Read"] },
      ["allowed_tools"],
      "`claude-code` 2.1.325 has no flag `--allowed_tools`; did you mean `--allowed-tools`?",
      NO_FLAG,
    ],
    [
      "claude-code",
      { temperature: 0.5 },
      ["temperature"],
      "`claude-code` has no control for `temperature`",
      "remove it, or run the command with another agent",
    ],
    [
      "codex",
      { "allowed-tools": ["x"] },
      ["allowed-tools"],
      "`codex` has no control for `allowed-tools`",
      "remove it, or run the command with another agent",
    ],
    ["claude-code", { print: true }, ["print"], "`--print` is set by Adjutant", null],
    ["gemini", { prompt: "x" }, ["prompt"], "`--prompt` is set by Adjutant", null],
    [
      "claude-code",
      { settings: { env: {} } },
      ["settings"],
      "`settings` takes a value or a list of values, not a map",
      null,
    ],
    [
      "claude-code",
      { model: { name: "opus" } },
      ["model"],
      "`model` takes a value or a list of values, not a map",
      null,
    ],
    [
      "claude-code",
      { "add-dir": ["a", ["b"]] },
      ["add-dir", 1],
      "`add-dir` takes a value or a list of values, not a list in a list",
      null,
    ],
    [
      "claude-code",
      { verbose: "yes" },
      ["verbose"],
      "`--verbose` takes no value: give `true` or `false`",
      null,
    ],
    ["claude-code", { effort: true }, ["effort"], "`--effort` needs a value", null],
    [
      "claude-code",
      { effort: "huge" },
      ["effort"],
      "`--effort` must be one of `low`, `medium`, `high`, `xhigh`, `max`",
      null,
    ],
    [
      "claude-code",
      { effort: ["low", "max"] },
      ["effort"],
      "`--effort` may be given only once",
      null,
    ],
    ["claude-code", { name: "a\0b" }, ["name"], "`name` holds a NUL byte", null],
  ])("%s %j", (agent, frontMatter, path, message, hint) => {
    expect(refuse(agent, frontMatter)[0]).toMatchObject({ source: "file", path, message, hint });
  });

  it("unless a person insists on a flag; a setting cannot be insisted on", () => {
    const forceFlags = true;
    const { args } = translate("claude-code", { "brand-new": ["a", "-b"] }, { forceFlags });
    expect(args).toEqual(["--brand-new=a", "--brand-new=-b"]);
    expect(refuse("claude-code", { temperature: 1 }, { forceFlags })).toHaveLength(1);
  });

  it("in this version: an older one lacks what a newer one has", () => {
    const adapter = adapterOf("claude-code");
    const agent = {
      name: "claude-code",
      version: "2.1.197",
      executable: "claude",
      capabilities: adapter.capabilities("2.1.197"),
      ownFields: [],
    };
    expect(refuse("claude-code", { restricted: true }, { agent })[0]?.message).toBe(
      "`claude-code` 2.1.197 has no flag `--restricted`",
    );
    expect(translate("claude-code", { restricted: true }).args).toEqual(["--restricted"]);
  });

  it("of the command line, with the command's own flags among the guesses", () => {
    const more = { flags: { "--focsu": "x" }, commandFlags: ["--focus"] };
    expect(refuse("claude-code", {}, more)[0]).toMatchObject({
      source: "flags",
      message: "`claude-code` 2.1.325 has no flag `--focsu`; did you mean `--focus`?",
    });
    const open = { flags: { "--effort": true } };
    expect(refuse("claude-code", {}, open)[0]?.message).toBe(
      "`--effort` needs a value: give it as `--effort=…`",
    );
    expect(refuse("claude-code", {}, { flags: { description: "x" } })[0]?.message).toBe(
      "`--param` cannot set `description`: it belongs in the file",
    );
  });

  it("as a mapping, too", () => {
    expect(refuse("claude-code", { $2: "modle" }, { positions: 2 })[0]).toMatchObject({
      path: ["$2"],
      message: "`claude-code` 2.1.325 has no flag `--modle`; did you mean `--model`?",
    });
    expect(refuse("claude-code", { $2: "verbose" }, { positions: 2 })[0]?.message).toBe(
      "`--verbose` takes no value: give `true` or `false`",
    );
    expect(ask("gemini", { $1: "prompt" })).toMatchObject({ kind: "translated" });
    expect(refuse("gemini", { $2: "prompt" }, { positions: 2 })[0]?.message).toBe(
      "`--prompt` is set by Adjutant",
    );
  });
});
