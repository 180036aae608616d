// A conversation with the real Copilot CLI.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findAgent } from "../../../src/agents/roster.ts";
import { writeAgentFiles } from "../../../src/agents/run/execute.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { driveCli } from "../drive-cli.ts";
import { findLabCli, missingMessage } from "../lab.ts";
import { PROMPT } from "../scenarios.ts";
import { describeAcpTalk } from "./acp-behaviour.ts";
import { withTalk } from "./acp-talk.ts";

describe("copilot", () => {
  const cli = findLabCli("copilot");
  if (cli === null) return test.skip(missingMessage("copilot"));
  const figures = { input: 1111, output: 222, cacheRead: 333, reasoning: 55 };
  describeAcpTalk({
    cli,
    models: ["another-model", "one-more-model"],
    modelOf: ({ body }) => String(JSON.parse(body).model),
    shell: { tool: "bash", args: { command: "touch made.txt" } },
    usage: [figures, figures],
    resumedUsage: figures,
  });
});

const HOOKED = `
turns:
  - { tool_calls: [{ tool: shell, command: "touch made.txt" }] }
  - { tool_calls: [{ tool: shell, command: "touch refused.txt" }] }
  - { tool_calls: [{ tool: read, path: made.txt }] }
  - { tool_calls: [{ tool: shell, command: "touch unsaid.txt" }] }
  - { text: Done. }
`;

/** Denies what is to be refused, has no opinion on what is unsaid, and allows the rest. */
const HOOK = `
const { appendFileSync } = require("node:fs");
const payload = require("node:fs").readFileSync(0, "utf8");
appendFileSync(process.argv[1], payload + "\\n");
const [permissionDecision, permissionDecisionReason] = payload.includes("refused.txt")
  ? ["deny", "use the OTHER way"]
  : ["allow", ""];
if (!payload.includes("unsaid")) console.log(JSON.stringify({ permissionDecision, permissionDecisionReason }));
`;

const makeHook = (calls: string) => ({
  argv: [process.execPath, "-e", HOOK, calls],
  env: {},
  limitMs: 60_000,
});

describe("copilot with a hook for this run", () => {
  const cli = findLabCli("copilot");
  if (cli === null) return test.skip(missingMessage("copilot"));

  test("asks it first, and the model reads its refusal", { timeout: 120_000 }, async () => {
    const calls = join(temporaryFolder(), "calls");
    const stepHook = makeHook(calls);
    await withTalk({ cli, scenario: HOOKED, stepHook }, async (talk) => {
      const turn = await talk.send("do it");
      expect(turn.ending).toEqual({ kind: "ended" });
      const payloads = readFileSync(calls, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(payloads.map(({ toolName }) => toolName)).toEqual(["bash", "bash", "view", "bash"]);
      expect(turn.asked).toMatchObject([{ tool: "bash", args: { command: "touch unsaid.txt" } }]);
      expect(turn.asked[0]?.args).toEqual(payloads.at(-1).toolArgs);
      expect(readdirSync(talk.workspace).sort()).toEqual(["made.txt", "unsaid.txt"]);
      expect(talk.requests().at(2)?.body).toContain("use the OTHER way");
      expect(turn.said.at(-1)).toBe("Done.");
    });
  });

  test("has it in a plain run as well", { timeout: 120_000 }, async () => {
    const folder = temporaryFolder();
    const describeHooks = await findAgent("copilot")?.stepHooks?.();
    const entry = describeHooks?.(makeHook(join(folder, "calls")), folder);
    await writeAgentFiles(entry?.files ?? []);
    const [program = "", ...words] = cli.commandFor(PROMPT);
    const commandFor = () => [program, ...(entry?.args ?? []), ...words];
    const { workspace, requests, account } = await driveCli({ ...cli, commandFor }, HOOKED);
    expect(readdirSync(workspace).sort(), account).toEqual(["made.txt", "unsaid.txt"]);
    expect(requests.some(({ body }) => body.includes("use the OTHER way"))).toBe(true);
  });
});
