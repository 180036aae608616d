// A Markdown command typed by the model inside Claude Code: the agent it starts hears what the shell's would.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseScenario } from "../../src/sim/scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import { readLatest } from "../../src/sim/wire.ts";
import { driveGuarded, type GuardedPlan } from "./hooks/drive-guarded.ts";
import { findLabCli, missingMessage } from "./lab.ts";
import { PROMPT } from "./scenarios.ts";

/** The one inside speaks to a model of its own, or it would be taken for a sub-agent of the other. */
const commandFor = (url: string): string => `---
description: Greet somebody kindly
agent: claude-code
env: { ANTHROPIC_BASE_URL: "${url}" }
---
Greet {{ args }} kindly, in one line.
`;

const TYPED = `
turns:
  - tool_calls: [{ tool: shell, command: adj-greet-kindly Ada Lovelace | tr a-z A-Z }]
  - when: { tool_result: { contains: "GOOD DAY, ADA" } }
    text: It was said.
`;

const cli = findLabCli("claude-code");

test.skipIf(cli === null)("says inside Claude Code what it says in the shell", async () => {
  if (cli === null) throw new Error(missingMessage("claude-code"));
  const inner = await startSim(parseScenario("turns: [{ text: 'good day, Ada' }]", "inner"));
  onTestFinished(() => inner.close());
  const [program = ""] = cli.commandFor(PROMPT);
  const define: GuardedPlan["others"] = ({ env }) => {
    const config = env.ADJ_CONFIG_DIR ?? "";
    mkdirSync(join(config, "commands"), { recursive: true });
    writeFileSync(join(config, "commands", "greet-kindly.md"), commandFor(inner.url));
    writeFileSync(join(config, "hooks.yaml"), "hooks: []\n");
    const settings = { agents: { "claude-code": { path: program } } };
    writeFileSync(join(config, "config.yaml"), JSON.stringify(settings));
  };
  const script = parseScenario(TYPED, "typed");
  const drive = await driveGuarded({ cli, prompt: PROMPT, script, others: define });
  expect(drive.printed, drive.account).toContain("It was said.");
  const heard = inner
    .requests()
    .flatMap(({ kind, request }) =>
      kind === "turn" && request !== null ? [readLatest(request).user] : [],
    );
  expect(heard).toHaveLength(1);
  expect(heard[0]).toContain("Greet Ada Lovelace kindly, in one line.");
});
