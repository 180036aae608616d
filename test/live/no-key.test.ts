// An agent that has no key, whatever it says about it, is one code: AUTH_FAILED.
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { runAgent } from "../../src/agents/run/run-agent.ts";
import { makeIsolatedHome } from "../../src/sim/run-sim.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import { adapterOf } from "../support/agents.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { findLabCli, LAB_AGENTS, type LabAgent, missingMessage, pinnedVersion } from "./lab.ts";

/** A file with which nobody can tell whether there is a login: the agent itself has to say that there is none. */
const UNSURE: Partial<Record<LabAgent, string>> = { "claude-code": ".claude/settings.json" };

const isKey = (name: string): boolean => /(?:_API_KEY|_TOKEN)$/.test(name);

async function runWithoutKey(agent: LabAgent, program: string, isKnown: boolean) {
  const sim = await startSim(
    parseScenario("turns: [{ fault: { status: 401, times: forever } }]", "s"),
  );
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const home = await makeIsolatedHome({ agent, url: sim.url, source: { ...process.env, PATH } });
  try {
    const env = Object.fromEntries(Object.entries(home.env).filter(([name]) => !isKey(name)));
    const unsure = UNSURE[agent];
    if (unsure !== undefined && !isKnown) {
      mkdirSync(dirname(join(env.HOME ?? "", unsure)), { recursive: true });
      writeFileSync(join(env.HOME ?? "", unsure), "{}");
    }
    const { log } = await runAgent(adapterOf(agent), {
      ...{ config: { prompt: "say hi" }, workspaceDir: temporaryFolder(), timeout: 90_000, env },
      ...{ runId: randomUUID(), logDir: join(temporaryFolder(), "log"), program },
      agentVersion: pinnedVersion(agent),
    });
    return log;
  } finally {
    await sim.close();
    await home.remove();
  }
}

describe.each(LAB_AGENTS)("%s without a key", (agent) => {
  const cli = findLabCli(agent);
  if (cli === null) test.skip(missingMessage(agent));
  else
    test.each(agent in UNSURE ? [true, false] : [false])(
      "is AUTH_FAILED (known beforehand: %s)",
      async (isKnown) => {
        const { execution, errors } = await runWithoutKey(agent, cli.program, isKnown);
        expect(execution.status).toBe("failed");
        expect(errors[0]?.code, JSON.stringify(errors)).toMatch(/_AUTH_FAILED$/);
      },
    );
});
