// One workflow with several real CLIs in it, each answering as data in the way it has for that.
import { dirname } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { programVariable } from "../../src/agents/run/availability.ts";
import { makeIsolatedHome } from "../../src/sim/run-sim.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import { openWorkflowHost } from "../workflow/host/workflow-host.ts";
import { findLabCli, type LabCli, missingMessage } from "./lab.ts";

async function openLiveWorkflow(clis: readonly LabCli[], scenario: string) {
  const sim = await startSim(parseScenario(scenario, "scenario"));
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const isolated = await makeIsolatedHome({ agent: null, url: sim.url, source: { PATH: path } });
  onTestFinished(async () => {
    await sim.close();
    await isolated.remove();
  });
  const programs = clis.map(({ agent, program }) => [programVariable(agent), program]);
  const env = { ...isolated.env, ...Object.fromEntries(programs) };
  const host = await openWorkflowHost({ env });
  return { host, sim };
}

/** What may be left out is what strict schemas know only as null. */
const SCRIPT = `export const meta = { name: "panel", description: "three agents judge" };
const schema = {
  type: "object",
  properties: { approve: { type: "boolean" }, note: { type: "string", minLength: 1 } },
  required: ["approve"],
};
const judges = ["claude-code", "codex", "qwen"];
const answers = await parallel(
  judges.map((agentName) => () => agent("Judge the change.", { agent: agentName, schema })),
);
return Object.fromEntries(judges.map((name, at) => [name, answers[at]]));
`;

const SCENARIO = `turns:
  - when: { agent: claude-code }
    tool_calls: [{ name: StructuredOutput, arguments: { approve: true, note: fine } }]
  - when: { agent: qwen }
    tool_calls: [{ name: structured_output, arguments: { approve: true } }]
  - text: '{"approve":false,"note":null}'
`;

describe("a workflow with several real CLIs in it", () => {
  const [claude, codex, qwen] = [
    findLabCli("claude-code"),
    findLabCli("codex"),
    findLabCli("qwen"),
  ];
  if (claude === null) return test.skip(missingMessage("claude-code"));
  if (codex === null) return test.skip(missingMessage("codex"));
  if (qwen === null) return test.skip(missingMessage("qwen"));

  test("gets data from each of them by its own way", { timeout: 240_000 }, async () => {
    const { host, sim } = await openLiveWorkflow([claude, codex, qwen], SCENARIO);
    const seen = () =>
      sim.requests().map(({ agent, kind, answered, problem, request }) => ({
        ...{ agent, kind, answered, problem },
        tools: request?.tools.map(({ name }) => name).join(" "),
        last: request?.messages.at(-1)?.text.slice(-300),
      }));
    const id = await host.start("panel.js", SCRIPT, { agent: "claude-code" });
    const { questions } = host.testProgram.program.sessions();
    const { run, entries } = await host.untilEnded(id, 90_000).catch((error: unknown) => {
      const waits = questions.listOpen().map(({ text, details }) => ({ text, details }));
      throw new Error(JSON.stringify({ waits, seen: seen() }, null, 1), { cause: error });
    });
    const account = JSON.stringify(
      {
        entries: entries.map(({ agent, status, problem }) => ({ agent, status, problem })),
        requests: seen(),
      },
      null,
      1,
    );
    expect(run?.result, account).toEqual({
      "claude-code": { approve: true, note: "fine" },
      codex: { approve: false },
      qwen: { approve: true },
    });
    // Codex was given the schema in the only form that its API takes; the scripted model refuses any other.
    const schemas = sim.requests().flatMap(({ request }) => request?.answerSchema ?? []);
    expect(schemas).toMatchObject([{ required: ["approve", "note"] }]);
    for (const { runIds, usage, conversation } of entries) {
      expect(runIds).toHaveLength(1);
      expect(usage?.outputTokens).toBeGreaterThan(0);
      expect(conversation).not.toBe(null);
    }
  });
});
