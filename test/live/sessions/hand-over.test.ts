import { describe, expect, test } from "vitest";
import { findLabCli, missingMessage } from "../lab.ts";
import { openLiveSession } from "./live-session.ts";

const SCENARIO = "turns: [{ text: One. }, { text: Two. }]";

describe("a session that changes its agent", () => {
  const [claude, codex, qwen] = [
    findLabCli("claude-code"),
    findLabCli("codex"),
    findLabCli("qwen"),
  ];
  if (claude === null) return test.skip(missingMessage("claude-code"));
  if (codex === null) return test.skip(missingMessage("codex"));
  if (qwen === null) return test.skip(missingMessage("qwen"));

  test("goes on with the thread with each of them, and with the first one again", {
    timeout: 240_000,
  }, async () => {
    const clis = [claude, codex, qwen] as const;
    const session = await openLiveSession({ clis, via: "process", scenario: SCENARIO });
    await session.send("Remember ALPHA.");
    const steps = [
      { agent: "codex", prompt: "Remember BETA.", told: 1, knows: ["ALPHA"], says: "One." },
      { agent: "qwen", prompt: "And GAMMA.", told: 2, knows: ["ALPHA", "BETA"], says: "One." },
      { agent: "claude-code", prompt: "So?", told: 2, knows: ["ALPHA", "GAMMA"], says: "Two." },
    ];
    for (const { agent, prompt, told, knows, says } of steps) {
      expect(await session.adj("provider", agent)).toMatchObject({ exitCode: 0 });
      const printed = await session.send(prompt);
      expect(printed.stdout, session.account(printed)).toContain(says);
      expect(printed.stderr).toContain(`${agent} was told of ${told} earlier turn`);
      expect(session.lastTurn()?.agent).toBe(agent);
      for (const word of [...knows, prompt])
        expect(session.requests().at(-1)?.body).toContain(word);
    }
  });
});
