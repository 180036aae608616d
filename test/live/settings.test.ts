// What is configured must not only be accepted: it must be what the model gets.
import { describe, expect, test } from "vitest";
import { parseScenario } from "../../src/sim/scenario.ts";
import { findLabCli, type LabAgent, type LabCli, missingMessage, pinnedVersion } from "./lab.ts";
import { driveAgent } from "./run-log/drive-agent.ts";

const SYSTEM =
  "You are a {scripted} \"tester\" – 100 % 'true'; $HOME `id` \\ <b>\nsecond line, naïve";
const ADDED = "- begins like a flag = yes\n\tand goes on, \x7f\x01 included";

// More than one argument of a process can hold.
const PROMPT = Array.from(
  { length: 5_000 },
  (_, at) => `Line ${at} of a long prompt, it's "so".`,
).join("\n");

interface Case {
  readonly agent: LabAgent;
  readonly config: Readonly<Record<string, unknown>>;
  readonly model: string;
  /** Texts that must be in the request word for word. */
  readonly texts: readonly string[];
  /** Fields of its body. */
  readonly body: Readonly<Record<string, unknown>>;
}

const BOTH = { system_prompt: SYSTEM, append_system_prompt: ADDED };

// biome-ignore format: a table, one agent a line
const CASES: readonly Case[] = [
  { agent: "claude-code", config: { ...BOTH, model: "claude-haiku-4-5", max_tokens: 1234 }, model: "claude-haiku-4-5", texts: [SYSTEM, ADDED], body: { max_tokens: 1234 } },
  { agent: "codex", config: { ...BOTH, model: "gpt-5.5" }, model: "gpt-5.5", texts: [SYSTEM, ADDED], body: {} },
  { agent: "gemini", config: { system_prompt: SYSTEM, model: "gemini-2.5-pro" }, model: "gemini-2.5-pro", texts: [SYSTEM], body: {} },
  { agent: "opencode", config: { model: "sim/sim-model", max_tokens: 1234 }, model: "sim-model", texts: [], body: { max_tokens: 1234 } },
  { agent: "copilot", config: { model: "other-model" }, model: "other-model", texts: [], body: {} },
  { agent: "qwen", config: { ...BOTH, model: "other-model" }, model: "other-model", texts: [SYSTEM, ADDED], body: {} },
];

describe.each(CASES)("what is configured for $agent", (given) => {
  const cli = findLabCli(given.agent);
  if (cli === null) test.skip(missingMessage(given.agent));
  else
    test("reaches the model word for word, and so does a long prompt", () =>
      checkReached(cli, given));
});

async function checkReached(cli: LabCli, { config, model, texts, body }: Case): Promise<void> {
  const { log, requests } = await driveAgent({
    cli,
    version: pinnedVersion(cli.agent),
    config: { prompt: PROMPT, ...config },
    script: parseScenario("turns: [{ text: Done. }]", "settings"),
    stop: { by: "itself" },
    timeoutMs: 90_000,
  });
  const turn = requests.find(({ kind }) => kind === "turn");
  const sent: unknown = JSON.parse(turn?.body ?? "null");
  expect(log.execution.status, JSON.stringify(log.errors)).toBe("success");
  expect(turn?.request?.model).toBe(model);
  expect(sent).toMatchObject(body);
  const said = listStrings(sent).join("\n\n");
  for (const text of [PROMPT, ...texts]) expect(said.includes(text), text.slice(0, 80)).toBe(true);
}

function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listStrings);
}
