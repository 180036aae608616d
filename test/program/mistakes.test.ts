// Mistakes that people make. Each gets one line that says what, to which thing, and what to do next, nothing on stdout,
// and an exit code that a script can go by.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { quoteNames } from "../../src/core/command/names.ts";
import { FORMATS, INSTALLERS, PROGRAM_NAMES } from "../support/agents.ts";
import { sampled } from "../support/tier.ts";
import { makeHome } from "./adj.ts";

const HOOKED = quoteNames(INSTALLERS.map(({ agent }) => agent));
const WITH_COMMANDS = quoteNames(FORMATS.map(({ agent }) => agent));
const ALL_COMMANDS = "list all with `adj commands`";

type Mistake = readonly [words: readonly string[], exitCode: number, line: string];

const MISTAKES: readonly Mistake[] = [
  // Names of commands.
  [["halp"], 127, `unknown command \`halp\`; did you mean \`help\`? ${ALL_COMMANDS}`],
  [["mdoel", "opus"], 127, `unknown command \`mdoel\`; did you mean \`model\`? ${ALL_COMMANDS}`],
  [["help", "deploy"], 127, `unknown command \`deploy\`; ${ALL_COMMANDS}`],
  [["explain", "deploy"], 127, `unknown command \`deploy\`; ${ALL_COMMANDS}`],
  [["version"], 127, "unknown command `version`; `adj --version` prints it"],
  [["list"], 127, "unknown command `list`; `adj commands` lists them"],
  [["status"], 127, "unknown command `status`; `adj doctor` looks over everything"],
  [["a\nb"], 127, `unknown command \`a\\nb\`; ${ALL_COMMANDS}`],
  [
    ["new", "run", "--md"],
    2,
    "`run` belongs to the program and cannot be defined; choose another name",
  ],
  [
    ["agent"],
    2,
    "`agent`: `<action>` is missing; it is one of `list`, `run`, `log`, `normalize`; see `adj help agent`",
  ],
  [
    ["agent", "run", "replay", "hi", "--prompt-file", "x.md"],
    2,
    "`agent`: give the prompt as text or with `--prompt-file`, not both; see `adj help agent`",
  ],
  [["run"], 2, `\`adj run\`: the name of a command is missing; ${ALL_COMMANDS}`],
  [
    ["help", "bench", "reprot"],
    2,
    "`bench`: it has no `reprot`; did you mean `adj help bench report`?",
  ],
  [
    ["workflow", "stop", "--input", "a=b"],
    2,
    "`workflow`: `--input` is not for `stop`; see `adj help workflow`",
  ],
  [
    ["workflow", "list", "more"],
    2,
    "`workflow`: `list` takes no further words; see `adj help workflow`",
  ],
  [
    ["agent", "list", "--timeout", "5s"],
    2,
    "`agent`: `--timeout` is not for `list`; see `adj help agent`",
  ],
  // Agents, models, params.
  [
    ["agent", "run", "claud", "hi"],
    2,
    "unknown agent `claud`; did you mean `claude-code`? list all with `adj agent list`",
  ],
  [
    ["send", "--agent", "cdex", "hi"],
    2,
    "unknown agent `cdex`; did you mean `codex`? list all with `adj agent list`",
  ],
  [["install", "emacs"], 2, `unknown agent \`emacs\`; hooks can be installed for ${HOOKED}`],
  [["sync", "vim"], 2, `unknown agent \`vim\`; commands are known of ${WITH_COMMANDS}`],
  [
    ["hooks", "test", "--agent", "cdex", "--command", "ls"],
    2,
    `unknown agent \`cdex\`; did you mean \`codex\`? hooks can be installed for ${HOOKED}`,
  ],
  [
    ["agent", "run"],
    2,
    "`agent`: no agent is named and none is chosen; `adj agent list` shows which are here",
  ],
  [
    ["agent", "run", "command", "--set", 'argv=["cat"]'],
    2,
    "`agent`: there is no prompt; give it as words, with `--prompt-file`, or pipe one in",
  ],
  [
    ["agent", "run", "claude", "hi"],
    127,
    "agent `claude-code` cannot be run: `claude` was not found on PATH; install it with `npm install -g @anthropic-ai/claude-code`",
  ],
  [
    ["send", "--agent", "claude", "hi"],
    127,
    "agent `claude-code` cannot be run: `claude` was not found on PATH; install it with `npm install -g @anthropic-ai/claude-code`",
  ],
  [
    ["agent", "run", "claude", "--timeout", "5", "hi"],
    2,
    "`agent`: `--timeout` must be a duration such as `10m`, or `none`",
  ],
  [
    ["agent", "log", "zzzz"],
    2,
    "`adj agent log`: there is no run `zzzz`; runs are made by `adj agent run`",
  ],
  [
    ["agent", "lst"],
    2,
    "`agent`: `<action>` has no such value; did you mean `list`? see `adj help agent`",
  ],
  [
    ["agent", "normalize", "codex"],
    2,
    "`agent`: `normalize` needs an agent and one file; `adj agent normalize gemini saved.jsonl`",
  ],
  [
    ["provider", "codex", "--modle", "x"],
    2,
    "unknown flag `--modle` of `provider`; did you mean `--model`? see `adj help provider`",
  ],
  [
    ["model", "opus", "sonnet"],
    2,
    "`model`: takes at most 1 argument, got 2; see `adj help model`",
  ],
  [
    ["params", "max_turns"],
    2,
    "`params`: a parameter is given as `path=value`; for example `max_turns=3`",
  ],
  [
    ["mode", "everything"],
    2,
    "`mode`: `<to>` must be one of `ask`, `allowlist`, `auto`; see `adj help mode`",
  ],
  [["send"], 2, "`send`: there is no prompt; give it as words, or pipe it in"],
  [
    ["resume", "nothing"],
    2,
    "session `nothing`: it is not saved; see what there is with `adj sessions`",
  ],
  [
    ["answer", "q1", "yes"],
    2,
    "question `q1` cannot be answered: there is no such question; see what waits with `adj questions`",
  ],
  // Hooks.
  [
    ["hooks", "test", "PreToolUse", "--command", "ls"],
    2,
    "`hooks`: `<step>` has no such value; did you mean `before_tool`? see `adj help hooks`",
  ],
  [
    ["hooks", "test", "before_tool"],
    2,
    "`hooks`: give `--command`, `--path` or `--tool`; see `adj help hooks`",
  ],
  [
    ["hooks", "test", "--command", "ls", "--path", "x"],
    2,
    "`hooks`: `--command` and `--path` exclude each other; see `adj help hooks`",
  ],
  [
    ["uninstall"],
    2,
    "`uninstall`: it wants the names of agents, or `--all`; see `adj help uninstall`",
  ],
  [
    ["resident", "strt"],
    2,
    "`resident`: `<action>` has no such value; did you mean `start`? see `adj help resident`",
  ],
  // The record.
  [
    ["log", "--type", "CommandResult"],
    2,
    "`log`: `--type` has no such value; did you mean `CommandResulted`? see `adj help log`",
  ],
  [
    ["log", "--since", "yesterday"],
    2,
    "`log`: `--since` is a duration like `2h` or a time like `2026-11-05T14:00`; see `adj help log`",
  ],
  [["log", "--prune", "soon"], 2, "`log`: `--prune` is a duration like `30d`; see `adj help log`"],
  [["log", "--last", "0"], 2, "`log`: `--last` must be at least 1; see `adj help log`"],
  [
    ["runs", "--by", "week"],
    2,
    "`runs`: `--by` must be one of `day`, `agent`, `model`, `project`; see `adj help runs`",
  ],
  // Files, settings, trust.
  [
    ["new", "Hello", "--argv"],
    2,
    "`Hello` is not a command name: small letters, digits and dashes, beginning with a letter, at most 64; choose another name",
  ],
  [
    ["new", "hello"],
    2,
    "`new`: give one of `--ts`, `--argv`, `--md` and `--workflow`; see `adj help new`",
  ],
  [["config", "set", "model"], 2, "`config`: `set` takes a key and a value; see `adj help config`"],
  [
    ["trust", "--hash", "abc"],
    2,
    "`trust`: `--hash` is 64 small hexadecimal digits, as `adj trust` shows them; see `adj help trust`",
  ],
  [
    ["approve", "deploy"],
    126,
    "`approve` needs a person's consent and there is nobody to ask; run it in a terminal",
  ],
  [
    ["completion", "powershell"],
    2,
    "`completion`: `<shell>` must be one of `bash`, `zsh`, `fish`; see `adj help completion`",
  ],
  [["-C", "/nowhere", "env"], 2, "the working directory: `/nowhere` is not a folder"],
  // Suites and scenarios.
  [["bench"], 2, "`bench`: `<subject>` is missing; see `adj help bench`"],
  [
    ["bench", "missing.yaml"],
    2,
    "missing.yaml: the suite cannot be read: it does not exist; a suite is a file, a folder with `suite.yaml`, or a name in `.adjutant/suites/`",
  ],
  [["bench", "cancel"], 2, "`bench`: `bench cancel` needs a run; see `adj help bench`"],
  [
    ["bench", "compare", "a"],
    2,
    "`bench`: `bench compare` needs two runs; `adj bench history` lists them",
  ],
  [
    ["bench", "worker", "--store", "mysql://x"],
    2,
    "`bench`: `--store` must be an address that begins with `postgres://`",
  ],
  [
    ["acp", "--agent", "claud"],
    2,
    "unknown agent `claud`; did you mean `claude-code`? list all with `adj agent list`",
  ],
  [["bench", "valdate", "suite.yaml"], 2, "`bench`: it has no `valdate`; did you mean `validate`?"],
  [
    ["send", "hi"],
    127,
    `no agent is installed: none of ${quoteNames(PROGRAM_NAMES)} is on PATH; install one, such as with \`npm install -g @anthropic-ai/claude-code\`, or name one with \`--agent\``,
  ],
  [
    ["model", "--sesion", "x"],
    2,
    "unknown flag `--sesion` of `model`; did you mean `--session`? see `adj help model`",
  ],
  [["model", "--json=x"], 2, "`model`: `--json` takes no value; see `adj help model`"],
  [
    ["model", "--version"],
    2,
    "unknown flag `--version` of `model`; it is one of Adjutant's and stands before the name: `adj --version model`",
  ],
  [
    ["bench", "repotr"],
    2,
    "repotr: the suite cannot be read: it does not exist; did you mean `adj bench report`?",
  ],
  [
    ["runs", "--agent", "claud"],
    2,
    "unknown agent `claud`; did you mean `claude-code`? list all with `adj agent list`",
  ],
  [
    ["bench", "report", "zzz"],
    2,
    "`adj bench`: there is no run `zzz`; `adj bench SUITE` makes one",
  ],
  [
    ["mcp", "wrap"],
    2,
    "`mcp`: there is no server; give its program after `--`: `adj mcp wrap -- npx some-server`",
  ],
  [
    ["prune", "--older", "30"],
    2,
    "`prune`: `--older` is a duration like `30d`; see `adj help prune`",
  ],
  [
    ["workflow", "run", "nope"],
    2,
    "`nope`: there is no workflow of that name; list all with `adj workflow list`",
  ],
  [
    ["config", "get", "modle"],
    2,
    "`modle`: no such setting; did you mean `model`? known are `adjutant`, `agent`, `model`, `params`, `plugins`, `requires_plugins`, `prefix`, `agents`, `mode`, `allow`, `inbox`, `commands`, `import_hosts`",
  ],
  [["sim", "missing.yaml"], 2, "missing.yaml: the scenario cannot be read: it does not exist"],
];

describe("a mistake gets one line with what, where and what next", () => {
  test("there are forty of them at least", () => {
    expect(MISTAKES.length).toBeGreaterThanOrEqual(40);
  });

  test.each(sampled(MISTAKES))("adj %j", async (words, exitCode, line) => {
    const home = makeHome();
    // Node alone, so that no agent of this machine is found.
    mkdirSync(join(home.folder, "bin"));
    symlinkSync(process.execPath, join(home.folder, "bin", "node"));
    const env = {
      ...home.env,
      PATH: join(home.folder, "bin"),
      ADJ_HOST: "off",
      ADJ_RESIDENT: "off",
    };
    const { stdout, stderr, exitCode: code } = await home.adjIn({ env }, ...words);
    expect({ stdout, stderr, code }).toEqual({
      stdout: "",
      stderr: `adj: ${line}\n`,
      code: exitCode,
    });
  });
});
