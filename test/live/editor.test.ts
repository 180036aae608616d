// Every agent of the lab behind `adj acp`, with the protocol's own client library as the editor.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runAgent } from "../../src/agents/run/run-agent.ts";
import { ADJ } from "../program/adj.ts";
import { withEditor } from "../program/editor.ts";
import { adapterOf } from "../support/agents.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { findLabCli, LAB_AGENTS, type LabCli, missingMessage } from "./lab.ts";
import { openLiveSession } from "./sessions/live-session.ts";

const ASKING = `
turns:
  - { text: One. }
  - { when: { user: MAKE }, text: I do., tool_calls: [{ tool: shell, command: touch made.txt }] }
  - { when: { user: MAKE }, text: Made. }
  - { text: On. }
`;

const MAKING = `
turns:
  - { text: I do., tool_calls: [{ tool: shell, command: touch made.txt }] }
  - { text: Made. }
`;

const LIMIT = 120_000;

const openEditor = async (clis: readonly [LabCli, ...LabCli[]], scenario: string) => {
  const session = await openLiveSession({ clis, via: "process", scenario });
  return { session, home: { project: session.workspace, env: session.env } };
};

describe.each(LAB_AGENTS)("%s behind an editor", (agent) => {
  const cli = findLabCli(agent);
  if (cli === null) return test.skip(missingMessage(agent));
  test("answers our own client of the protocol, and its tool is allowed", {
    timeout: LIMIT,
  }, async () => {
    const { session } = await openEditor([cli], MAKING);
    const { log } = await runAgent(adapterOf("acp"), {
      config: {
        prompt: "MAKE it.",
        permission_mode: "auto",
        argv: [ADJ, "acp", "--agent", agent, "--via", "process"],
      },
      workspaceDir: session.workspace,
      timeout: LIMIT,
      env: session.env,
      runId: randomUUID(),
      logDir: join(temporaryFolder(), "log"),
    });
    const said = log.messages.map(({ content }) => content).join("\n");
    expect(log.execution.status, said).toBe("success");
    expect(said).toContain("Made.");
    expect(existsSync(join(session.workspace, "made.txt"))).toBe(true);
  });

  test("answers, and a tool waits for the editor's word", { timeout: LIMIT }, async () => {
    const { session, home } = await openEditor([cli], ASKING);
    const words = ["--agent", agent, "--via", "process"];
    const ended = await withEditor(home, { words, pick: () => "yes" }, async (editor) => {
      const id = await editor.open();
      expect(await editor.prompt(id, "Begin with ALPHA.")).toBe("end_turn");
      expect(editor.said()).toContain("One.");
      expect(await editor.prompt(id, "MAKE it.")).toBe("end_turn");
      expect(editor.said()).toContain("Made.");
      return editor.asked.length;
    });
    expect(ended).toEqual({ result: 1, exitCode: 0 });
    expect(existsSync(join(session.workspace, "made.txt"))).toBe(true);
    expect(session.requests().at(-1)?.body).toContain("ALPHA");
  });
});

test("`/provider` goes on with the thread behind the editor's back", {
  timeout: LIMIT,
}, async () => {
  const [claude, codex] = [findLabCli("claude-code"), findLabCli("codex")];
  if (claude === null || codex === null) return;
  const scenario = "turns: [{ text: One. }, { text: Two. }]";
  const { session, home } = await openEditor([claude, codex], scenario);
  await withEditor(home, { words: ["--agent", "claude-code"] }, async (editor) => {
    const id = await editor.open();
    await editor.prompt(id, "Remember ALPHA.");
    await editor.prompt(id, "/provider codex");
    await editor.prompt(id, "Which word?");
  });
  const last = session.requests().at(-1);
  expect(session.calls()).toContain("codex");
  expect(last?.body).toContain("ALPHA");
  expect(last?.body).toContain("Which word?");
});
