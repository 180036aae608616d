// The ten example commands by the built program and the real CLIs, against the scripted model.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseMarkdown } from "../../src/markdown/file/markdown-file.ts";
import { runSim } from "../../src/sim/run-sim.ts";
import { ADJ, type Home, makeHome } from "../program/adj.ts";
import {
  COMMANDS_FOLDER,
  EXAMPLES,
  type Example,
  makeExampleProject,
} from "../program/example-project.ts";
import { makeAsker } from "./argv/ask-parser.ts";
import { configOfFrontMatter } from "./argv/front-matter-config.ts";
import { PARSERS } from "./argv/parsers.ts";
import { findLabCli, LAB_AGENTS, type LabAgent, type LabCli, missingMessage } from "./lab.ts";

const TIME_LIMIT = 120_000;
const ANSWER = "Nothing to add.";
const SCENARIO = `turns: [{ text: ${ANSWER} }]\nexpect: [{ requests: 1 }]\n`;

test("every agent has an example to run", () => {
  expect([...new Set(EXAMPLES.map(({ agent }) => agent))].sort()).toEqual([...LAB_AGENTS].sort());
});

describe.each(EXAMPLES)("$name by $agent", (example) => {
  const cli = findLabCli(example.agent);
  if (cli === null) test.skip(missingMessage(example.agent));
  else
    test("gives the model the prompt as it was assembled", { timeout: TIME_LIMIT }, () =>
      checkExample(example, cli),
    );
});

async function checkExample(example: Example, cli: LabCli): Promise<void> {
  const home = makeHome();
  await makeExampleProject(home, example.isStaged);
  // Its tests are not written this time, and no runner passes without any.
  home.write({ "project/empty.test.mjs": "" });
  const { requests, report, outcome, account } = await runExample(home, example, cli);
  expect(outcome.kind, account).toBe("ok");
  expect(outcome.result.output, account).toBe(ANSWER);
  expect(report.holds, account).toBe(true);
  expect(outcome.result.metadata.agent).toBe(cli.agent);
  const { messages } = JSON.parse(readFileSync(outcome.result.metadata.logPath, "utf8"));
  const prompt: string = messages[0].content;
  for (const part of example.holds) expect(prompt).toContain(part);
  const [turn] = requests.filter(({ kind }) => kind === "turn");
  const sent = (turn?.request?.messages ?? []).filter(({ role }) => role === "user");
  // Agents put words of their own before and after it, and drop blank lines at its ends.
  expect(sent.map(({ text }) => text).join("\n")).toContain(prompt.trim());
}

async function runExample(home: Home, { name, words, piped }: Example, cli: LabCli) {
  const file = join(home.folder, "scenario.yaml");
  writeFileSync(file, SCENARIO);
  const variable = `ADJ_AGENT_${cli.agent.toUpperCase().replaceAll("-", "_")}`;
  // The scripts among the CLIs start with `env node`, which must be a new one.
  const PATH = `${dirname(process.execPath)}:${home.env.PATH}`;
  const env = { ...home.env, PATH, [variable]: cli.program };
  const typed = [ADJ, "--json", name, ...words, "--agent", cli.agent];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const ending = await runSim({
    file,
    command: piped === undefined ? typed : ["sh", "-c", 'cat | "$@"', "sh", ...typed],
    cwd: home.project,
    env,
    signal: stop.signal,
    timeoutMs: TIME_LIMIT,
    // Of all variables of the scripted home this one is nobody's own: opencode asks a registry at its start.
    onReady: (url) => home.write({ "config/config.yaml": registrySetting(url) }),
    ...(piped === undefined ? {} : { stdin: piped }),
  });
  const stdout = Buffer.from(ending.process?.stdout ?? []).toString();
  const stderr = Buffer.from(ending.process?.stderr ?? []).toString();
  const asked = ending.requests.map(({ kind, path, answered }) => ({ kind, path, answered }));
  const account = JSON.stringify({ report: ending.report, asked, stdout, stderr }, null, 1);
  return { ...ending, outcome: readOutcome(stdout, account), account };
}

const registrySetting = (url: string): string =>
  `commands: { opencode: { env: { npm_config_registry: "${url}" } } }\n`;

function readOutcome(stdout: string, account: string) {
  if (!stdout.startsWith("{")) throw new Error(account);
  return JSON.parse(stdout);
}

interface Written {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** What the examples become on an agent: those that name none, and those that name this one. */
function listConfigs(agent: LabAgent): Written[] {
  return readdirSync(COMMANDS_FOLDER).flatMap((base): Written[] => {
    const path = join(COMMANDS_FOLDER, base);
    const name = base.replace(/\.md$/, "");
    const layerFolder = { shown: COMMANDS_FOLDER, real: COMMANDS_FOLDER };
    const place = { name, suffix: null, file: path, path, layerFolder };
    const { fields, frontMatter, templateVars } = parseMarkdown(readFileSync(path, "utf8"), place);
    if (fields.agent !== undefined && fields.agent !== agent) return [];
    return [{ name, config: configOfFrontMatter(agent, frontMatter, templateVars) }];
  });
}

describe.each(PARSERS)("the parser of $agent", ({ agent, accepted }) => {
  const cli = findLabCli(agent);
  if (cli === null) test.skip(missingMessage(agent));
  else
    test("accepts the words of every example that it can run", {
      timeout: TIME_LIMIT,
    }, async () => {
      const configs = listConfigs(agent);
      expect(configs.length).toBeGreaterThanOrEqual(7);
      const different = new Map(configs.map((one) => [JSON.stringify(one.config), one]));
      const asker = await makeAsker(cli);
      for (const { name, config } of different.values()) {
        const { args, printed } = await asker.askConfig(config);
        expect(printed, `${name}: ${JSON.stringify(args)}`).toMatch(accepted);
      }
    });
});
