import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { codex } from "../../../src/agents/codex/agent.ts";
import { codexConversation } from "../../../src/agents/codex/conversation.ts";
import type { LogEvent } from "../../../src/agents/log/event.ts";
import type {
  Conversation,
  ConversationContext,
  ToolAnswer,
  ToolRequest,
  TurnRequest,
} from "../../../src/agents/run/conversation.ts";
import { findMembersInProc } from "../../../src/core/process/process-tree.ts";
import { makeIsolatedHome } from "../../../src/sim/run-sim.ts";
import { parseScenario } from "../../../src/sim/scenario.ts";
import { startSim } from "../../../src/sim/server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { findLabCli, pinnedVersion } from "../lab.ts";

const cli = findLabCli("codex");

/** The scripted model, a home that knows only it, and conversations in one workspace. */
async function openLab(scenario: string) {
  const sim = await startSim(parseScenario(scenario, "scenario"), {});
  // Codex's own script starts with `env node`, which must be a new one.
  const source = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const home = await makeIsolatedHome({ agent: "codex", url: sim.url, source });
  onTestFinished(async () => {
    await sim.close();
    await home.remove();
  });
  const workspace = temporaryFolder();
  const runId = randomUUID();
  const open = async (resume: string | null = null, more: Partial<ConversationContext> = {}) => {
    const opened = await codexConversation.open({
      workspaceDir: workspace,
      env: home.env,
      runId,
      logDir: join(temporaryFolder(), "log"),
      program: cli?.program ?? "",
      agentVersion: pinnedVersion("codex"),
      settings: {},
      resume,
      stepHook: null,
      ...more,
    });
    if (opened.kind === "refused") throw new Error(JSON.stringify(opened.errors));
    onTestFinished(() => opened.conversation.close());
    return opened.conversation;
  };
  return {
    ...{ workspace, open, home: home.home },
    requests: () => sim.requests().filter(({ kind }) => kind === "turn"),
    processes: () =>
      findMembersInProc({ pid: 0, runId, ownsGroup: false, since: 0 }).members.length,
  };
}

const ALLOW: ToolAnswer = { kind: "allow", args: null };

/** Sends a prompt; what happened, and what was asked on the way. */
async function say(
  conversation: Conversation,
  prompt: string,
  options: Partial<TurnRequest> & { decide?: (request: ToolRequest) => ToolAnswer } = {},
) {
  const events: LogEvent[] = [];
  const asked: Pick<ToolRequest, "tool" | "args">[] = [];
  const ending = await conversation.send({
    prompt,
    model: options.model ?? null,
    signal: options.signal ?? new AbortController().signal,
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
    decideTool: async (request) => {
      asked.push({ tool: request.tool, args: request.args });
      return options.decideTool?.(request) ?? options.decide?.(request) ?? ALLOW;
    },
  });
  const kinds = events.map(({ kind }) => kind);
  return { ending, events, asked, finals: kinds.filter((kind) => kind === "final").length };
}

const saidIn = (events: readonly LogEvent[]): string =>
  events.flatMap((event) => (event.kind === "message" ? [event.content] : [])).join("\n");

describe.skipIf(cli === null)("a conversation with codex", () => {
  test("keeps the thread over prompts, takes another model, and goes on after it was closed", async () => {
    const lab = await openLab(`
turns:
  - { text: One., thinking: "Hm.", usage: { input_tokens: 10, output_tokens: 5 } }
  - { text: Two., usage: { input_tokens: 20, output_tokens: 7 } }
  - text: Three.
  - text: Four.
`);
    const first = await lab.open();
    const one = await say(first, "Remember ALPHA.");
    const two = await say(first, "And BETA.");
    const three = await say(first, "What was it?", { model: "another-model" });
    expect([one, two, three].map(({ ending, finals }) => [ending.kind, finals])).toEqual(
      Array(3).fill(["ended", 1]),
    );
    expect([one, two, three].map(({ events }) => saidIn(events))).toEqual([
      "One.",
      "Two.",
      "Three.",
    ]);
    const usage = two.events.filter((event) => event.kind === "usage");
    expect(usage).toMatchObject([{ figures: { input: 20, output: 7 }, scope: "step" }]);
    expect(two.events).toContainEqual(
      expect.objectContaining({ kind: "init", sessionId: first.id, model: "gpt-5.5" }),
    );
    expect(one.events).toContainEqual(
      expect.objectContaining({ kind: "delta", channel: "thinking", text: "Hm." }),
    );
    const third = lab.requests()[2];
    expect(third?.body).toContain("Remember ALPHA.");
    expect(third?.request?.model).toBe("another-model");

    await first.close();
    expect(lab.processes()).toBe(0);
    const again = await lab.open(first.id);
    const four = await say(again, "And now?");
    expect(saidIn(four.events)).toBe("Four.");
    expect(again.id).toBe(first.id);
    expect(lab.requests()[3]?.body).toContain("Remember ALPHA.");
  });

  test("asks before every command and patch, reads too, in the form of its hooks", async () => {
    const lab = await openLab(`
turns:
  - tool_calls: [{ tool: shell, command: "ls" }]
  - tool_calls: [{ tool: shell, command: "cat a.txt" }]
  - tool_calls: [{ tool: shell, command: "echo \\"it's $((1+1))\\" | tee made.txt" }]
  - tool_calls: [{ tool: write, path: notes.txt, content: "alpha\\nbeta\\n" }]
  - tool_calls: [{ tool: edit, path: notes.txt, old: beta, new: gamma }]
  - tool_calls: [{ tool: shell, command: "touch refused.txt" }]
  - text: Done.
`);
    // As a repository it could be taken for trusted, and that be written down.
    mkdirSync(join(lab.workspace, ".git"));
    writeFileSync(join(lab.workspace, "a.txt"), "AAA\n");
    const config = join(lab.home, ".codex", "config.toml");
    const before = readFileSync(config, "utf8");
    const turn = await say(await lab.open(), "Go.", {
      decide: ({ args }) =>
        String(args.command).includes("refused")
          ? { kind: "deny", reason: "not on my watch" }
          : ALLOW,
    });
    const bash = (command: string) => ({ tool: "Bash", args: { command } });
    expect(turn.asked).toEqual([
      bash("ls"),
      bash("cat a.txt"),
      bash(`echo "it's $((1+1))" | tee made.txt`),
      {
        tool: "apply_patch",
        args: { command: patch("Add File: notes.txt", "+alpha", "+beta") },
      },
      {
        tool: "apply_patch",
        args: { command: patch("Update File: notes.txt", "@@", " alpha", "-beta", "+gamma") },
      },
      bash("touch refused.txt"),
    ]);
    expect(readFileSync(join(lab.workspace, "made.txt"), "utf8")).toBe("it's 2\n");
    expect(readFileSync(join(lab.workspace, "notes.txt"), "utf8")).toBe("alpha\ngamma\n");
    expect(existsSync(join(lab.workspace, "refused.txt"))).toBe(false);
    expect(turn.ending.kind).toBe("ended");
    expect(saidIn(turn.events)).toBe("Done.");
    expect(lab.requests()[6]?.body).toContain("not on my watch");
    const results = turn.events.flatMap((event) =>
      event.kind === "tool_result" ? [event.permission] : [],
    );
    expect(results).toEqual([...Array(5).fill("allowed"), "denied"]);
    expect(readFileSync(config, "utf8")).toBe(before);
  });

  test("is cancelled in the middle of an answer and of a question, and goes on", async () => {
    const lab = await openLab(`
turns:
  - { when: { user: Ask }, tool_calls: [{ tool: shell, command: "touch asked.txt" }] }
  - when: { user: Slowly }
    fault: { hang_after: 6, times: forever }
    text: A long answer that falls silent.
  - { when: { user: Still there }, text: Here. }
`);
    const conversation = await lab.open();
    const stop = new AbortController();
    const cut = await say(conversation, "Slowly.", {
      signal: stop.signal,
      onEvent: ({ kind }) => kind === "delta" && stop.abort(),
    });
    expect([cut.ending.kind, cut.finals]).toEqual(["cancelled", 1]);
    const end = new AbortController();
    let isWithdrawn = false;
    const asked = await say(conversation, "Ask.", {
      signal: end.signal,
      decideTool: ({ signal }) => {
        signal.addEventListener("abort", () => (isWithdrawn = true));
        end.abort();
        return new Promise(() => {});
      },
    });
    expect([asked.ending.kind, isWithdrawn]).toEqual(["cancelled", true]);
    expect(existsSync(join(lab.workspace, "asked.txt"))).toBe(false);
    const next = await say(conversation, "Still there?");
    expect([next.ending.kind, saidIn(next.events)]).toEqual(["ended", "Here."]);
  });

  test("takes words while it works, and types nothing into a terminal", async () => {
    const lab = await openLab(`
turns:
  - tool_calls: [{ name: exec_command, arguments: { cmd: bash, tty: true } }]
  - tool_calls: [{ tool: shell, command: "true" }]
  - text: Steered.
`);
    const conversation = await lab.open();
    let isTaken = false;
    const turn = await say(conversation, "Go.", {
      decideTool: async () => {
        isTaken = await conversation.steer("Mind the GAMMA.");
        return ALLOW;
      },
    });
    expect([turn.ending.kind, isTaken]).toEqual(["ended", true]);
    expect(turn.asked).toEqual([{ tool: "Bash", args: { command: "true" } }]);
    expect(lab.requests()[2]?.body).toContain("Mind the GAMMA.");
    expect(await conversation.steer("Too late.")).toBe(false);
  });

  test("does not ask about what the person's own rules allow, and says that it does not ask about all", async () => {
    const lab = await openLab(`
turns:
  - tool_calls: [{ tool: shell, command: "git --version" }]
  - text: Done.
`);
    mkdirSync(join(lab.home, ".codex", "rules"));
    const rule = 'prefix_rule(pattern=["git", "--version"], decision="allow")';
    writeFileSync(join(lab.home, ".codex", "rules", "default.rules"), `${rule}\n`);
    const turn = await say(await lab.open(), "Go.");
    expect(turn.asked).toEqual([]);
    expect(lab.requests()[1]?.body).toContain("git version");
    expect(codexConversation.asks).toBe("permissions");
  });

  test("takes nothing from a project that is to be left out", async () => {
    const lab = await openLab("turns: [{ text: Hello. }]");
    const { workspace, home } = lab;
    mkdirSync(join(workspace, ".codex"));
    writeFileSync(join(workspace, ".codex", "config.toml"), 'model = "of-the-project"\n');
    const trust = `\n[projects.${JSON.stringify(workspace)}]\ntrust_level = "trusted"\n`;
    appendFileSync(join(home, ".codex", "config.toml"), trust);
    const withoutProject = codex.withoutProject?.(workspace) ?? { args: [], env: {} };
    await say(await lab.open(), "With it.");
    await say(await lab.open(null, { withoutProject }), "Without.");
    expect(lab.requests().map(({ request }) => request?.model)).toEqual([
      "of-the-project",
      "gpt-5.5",
    ]);
  });

  test("says why a turn failed, and another one works", async () => {
    const lab = await openLab(`
turns:
  - { when: { user: Again }, text: After all. }
  - { when: { user: Go }, fault: { status: 429, message: Slow down, times: forever } }
`);
    const conversation = await lab.open();
    const failed = await say(conversation, "Go.");
    expect(failed.ending.kind).toBe("ended");
    expect(failed.events.filter(({ kind }) => kind === "error")).toMatchObject([
      { reason: "RATE_LIMIT" },
    ]);
    expect(failed.events.at(-1)).toMatchObject({ kind: "final", isSuccess: false });
    const turn = await say(conversation, "Again.");
    expect(saidIn(turn.events)).toBe("After all.");
  });

  test.each(["01a1e92b-03db-76b0-9f51-e7ea535b585e", "nonsense"])(
    "knows nothing of %s, and asks no model",
    async (id) => {
      const lab = await openLab("turns: [{ text: Hello. }]");
      const conversation = await lab.open(id);
      const { ending } = await say(conversation, "Go on.");
      expect(ending).toEqual({
        kind: "forgotten",
        problem: `\`codex\` knows no conversation \`${id}\``,
      });
      expect(conversation.isOpen).toBe(false);
      await conversation.close();
      expect([lab.requests().length, lab.processes()]).toEqual([0, 0]);
    },
  );
});

const patch = (...lines: string[]): string =>
  ["*** Begin Patch", `*** ${lines[0]}`, ...lines.slice(1), "*** End Patch"].join("\n");
