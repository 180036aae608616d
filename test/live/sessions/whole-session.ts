// What a whole session with a real CLI must show, in either way to keep the thread.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Via } from "../../../src/agents/run/conversation.ts";
import type { RecordedRequest } from "../../../src/sim/recorded-request.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { findLabCli, type LabAgent, type LabCli, missingMessage } from "../lab.ts";
import { type LiveSession, openLiveSession } from "./live-session.ts";

interface SessionFacts {
  /** Another one than it begins with. */
  readonly model: string;
  modelOf?(request: RecordedRequest): string | null;
  /** Something that it has a place for, and what of it is seen in its command line or its request. */
  readonly param: { readonly assignment: string; readonly seen: string };
  /** Whether it can ask when every prompt is a process of its own. */
  readonly canAskByRun: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const SYSTEM = "You are SYSTEM-5.";

const FACTS: Readonly<Record<LabAgent, SessionFacts>> = {
  "claude-code": {
    model: "claude-haiku-4-5",
    param: { assignment: "max_turns=9", seen: "--max-turns 9" },
    canAskByRun: true,
  },
  codex: {
    model: "gpt-5.4",
    param: { assignment: "effort=low", seen: '"effort":"low"' },
    canAskByRun: false,
  },
  gemini: {
    model: "gemini-2.5-pro",
    modelOf: ({ path }) => /models\/([^:]+):/.exec(path)?.[1] ?? null,
    param: { assignment: `system_prompt=${SYSTEM}`, seen: SYSTEM },
    canAskByRun: false,
  },
  opencode: {
    model: "sim/other-model",
    modelOf: ({ request }) => `sim/${request?.model}`,
    param: { assignment: "max_tokens=777", seen: '"max_tokens":777' },
    canAskByRun: false,
    // A second model beside the one that the scripted provider has.
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          sim: { models: { "other-model": { name: "Other model", tool_call: true } } },
        },
      }),
    },
  },
  copilot: {
    model: "another-model",
    param: { assignment: "effort=high", seen: "--reasoning-effort high" },
    canAskByRun: true,
  },
  qwen: {
    model: "another-model",
    param: { assignment: "max_turns=40", seen: "--max-session-turns 40" },
    canAskByRun: false,
  },
};

// An agent that may not use a tool may not offer it either: then the model says no more. A refusal may cost it one answer
// more than a permission.
const SCENARIO = `
turns:
  - { text: One. }
  - { text: Two. }
  - { text: Three. }
  - { when: { user: MAKE }, text: I do., tool_calls: [{ tool: shell, command: touch made.txt }] }
  - { when: { user: MAKE }, text: Made. }
  - { when: { user: ANOTHER }, text: I do., tool_calls: [{ tool: shell, command: touch other.txt }] }
  - { when: { user: ANOTHER }, text: I see. }
  - { when: { user: REASON }, text: I see. }
  - { when: { user: WAIT }, fault: { hang: true }, text: Here again. }
  - { text: Here again. }
`;

const MINUTES = 240_000;
const SECRET = "of-no-known-form-314159";

export function describeSession(agent: LabAgent): void {
  const cli = findLabCli(agent);
  describe(`a session with ${agent}`, () => {
    if (cli === null) return test.skip(missingMessage(agent));
    test("by a process that stays", { timeout: MINUTES }, () => checkSession(cli, "process"));
    test("by a process for each prompt", { timeout: MINUTES }, () => checkSession(cli, "resume"));
  });
}

async function checkSession(cli: LabCli, via: Via): Promise<void> {
  const facts = FACTS[cli.agent];
  const { env = {} } = facts;
  const plan = { clis: [cli] as const, via, scenario: SCENARIO };
  const session = await openLiveSession({ ...plan, env: { ...env, MY_TOKEN: SECRET } });
  const canAsk = via === "process" || facts.canAskByRun;
  const first = await answered(session, `Remember ALPHA and ${SECRET}.`, "One.");
  expect(first.stderr.includes(`${cli.agent} cannot ask`)).toBe(!canAsk);
  await checkThread(session, facts);
  await (canAsk ? checkApprovals(session) : checkStrictness(session));
  await checkCancel(session);
  await session.adj("serve", "stop");
  expect(session.findInState(SECRET)).toEqual([]);
}

async function answered(session: LiveSession, prompt: string, text: string) {
  const printed = await session.send(prompt);
  expect(printed, session.account(printed)).toMatchObject({ exitCode: 0 });
  expect(printed.stdout, session.account(printed)).toContain(text);
  return printed;
}

async function checkThread(session: LiveSession, facts: SessionFacts): Promise<void> {
  const { model, param, modelOf = ({ request }) => request?.model ?? null } = facts;
  const used = await session.outputTokens();
  await answered(session, "Go on.", "Two.");
  expect(await session.outputTokens()).toBe(used);
  for (const words of [
    ["model", model],
    ["params", param.assignment],
  ])
    expect(await session.adj(...words)).toMatchObject({ exitCode: 0 });
  const before = session.calls().length;
  await answered(session, "What was it?", "Three.");
  const third = session.requests().at(-1);
  expect(third?.body).toContain("ALPHA");
  expect(third === undefined ? null : modelOf(third)).toBe(model);
  expect(`${session.calls().slice(before)}\n${third?.body}`).toContain(param.seen);
}

async function checkApprovals(session: LiveSession): Promise<void> {
  const making = session.startSend("MAKE it.");
  const question = await session.question(making);
  expect((await session.adj("questions")).stdout).toContain(question);
  expect(session.lastTurn()?.status).toBe("waiting");
  expect(existsSync(join(session.workspace, "made.txt"))).toBe(false);
  await session.adj("answer", question, "yes");
  const made = await making.ended;
  expect(made.stdout, session.account(made)).toContain("Made.");
  // However many ways the call took to us.
  expect(made.stderr.match(/answer with/g), made.stderr).toHaveLength(1);
  expect(existsSync(join(session.workspace, "made.txt"))).toBe(true);

  const another = session.startSend("ANOTHER one.");
  await session.adj("answer", await session.question(another), "no", "because of REASON-7");
  const refused = await another.ended;
  expect(refused.stdout, session.account(refused)).toContain("I see.");
  expect(existsSync(join(session.workspace, "other.txt"))).toBe(false);
  expect(session.requests().at(-1)?.body).toContain("REASON-7");
}

/** Where nobody can be asked nothing is changed. */
async function checkStrictness(session: LiveSession): Promise<void> {
  const count = session.requests().length;
  const printed = await session.send("MAKE it.");
  expect(session.requests().length, session.account(printed)).toBeGreaterThan(count);
  expect(existsSync(join(session.workspace, "made.txt")), session.account(printed)).toBe(false);
  expect(printed.stderr).not.toContain("cannot ask");
}

async function checkCancel(session: LiveSession): Promise<void> {
  const count = session.requests().length;
  const waiting = session.startSend("WAIT for it.");
  await waitUntil(() => session.requests().length > count, 60_000);
  waiting.child.kill("SIGINT");
  const cut = await waiting.ended;
  expect(cut.exitCode, session.account(cut)).toBe(130);
  await waitUntil(() => session.lastTurn()?.status === "cancelled", 30_000);
  await answered(session, "Now?", "Here again.");
  expect(session.requests().at(-1)?.body).toContain("ALPHA");
}
