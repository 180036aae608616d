import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { openAudit } from "../../../src/core/store/audit.ts";
import { openState } from "../../../src/core/store/state.ts";
import { createHookAnswerer } from "../../../src/hooks/pipeline/answer.ts";
import type { HookCall } from "../../../src/hooks/pipeline/hook-call.ts";
import { makeColdParts } from "../../../src/hooks/resident/cold-parts.ts";
import { ownProgram } from "../../../src/own-program.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";

const HOOKS = `hooks:
  - { name: look, on: before_tool, match: { command: "make*" }, run: { builtin: require-approval } }
`;

/** The usual limit leaves a question 300 ms, and an entry may say a minute. */
const SHORT = { hookLimitMs: 10_300, maxHookLimitMs: 60_000 };

function openLab(config: string | null = "inbox: { hold: 5m }\n", abilities = {}) {
  const home = temporaryFolder();
  writeFiles(home, {
    "config/hooks.yaml": HOOKS,
    ...(config === null ? {} : { "config/config.yaml": config }),
    "project/.git/HEAD": "",
  });
  const [stateDir, cwd] = [join(home, "state"), join(home, "project")];
  const env = { HOME: home, ADJ_STATE_DIR: stateDir, ADJ_CONFIG_DIR: join(home, "config") };
  const parts = makeColdParts(ownProgram);
  const answer = createHookAnswerer({
    ...parts,
    findAgent: async (name) => {
      const agent = await parts.findAgent(name);
      return agent && { ...agent, abilities: { ...agent.abilities, ...abilities } };
    },
  });
  return {
    stateDir,
    hook: async (
      command: string,
      signal = new AbortController().signal,
      id = "id-1",
      entry: Pick<HookCall, "entryLimitMs" | "onHeld"> = {},
    ) => {
      const payload = JSON.stringify({
        ...{ session_id: "s1", cwd, hook_event_name: "PreToolUse" },
        ...{ tool_name: "Bash", tool_input: { command }, tool_use_id: id },
      });
      const call = { agent: "claude-code", payload, cwd, signal };
      const reply = await answer({ ...call, ...entry, env });
      return JSON.parse(reply.stdout).hookSpecificOutput ?? {};
    },
    /** The state as another process has it. */
    questions: () => {
      const state = openState(stateDir);
      return { ...state.questions, close: state.close };
    },
    events: () => {
      const audit = openAudit(stateDir);
      const types = [...audit.read({})].map(({ type }) => type);
      audit.close();
      return types;
    },
  };
}

type Lab = ReturnType<typeof openLab>;

function countOpen(lab: Lab): number {
  const { listOpen, close } = lab.questions();
  const count = listOpen().length;
  close();
  return count;
}

const answerElsewhere = (stateDir: string, answer: unknown) =>
  promisify(execFile)(process.execPath, [
    fileURLToPath(new URL("../../session/approvals/fixtures/answer-question.ts", import.meta.url)),
    stateDir,
    JSON.stringify(answer),
  ]);

describe("with `inbox.hold` an ask of a hook", () => {
  test("waits in the inbox and is answered from another process", { timeout: 60_000 }, async () => {
    const lab = openLab();
    const asking = lab.hook("make all");
    const { stdout } = await answerElsewhere(lab.stateDir, { decision: "yes" });
    expect(JSON.parse(stdout)).toMatchObject({
      isFirst: true,
      choices: ["yes", "no", "no-with-words"],
    });
    expect(await asking).toMatchObject({ permissionDecision: "allow" });
    expect(lab.events()).toEqual(["InteractionRaised", "InteractionAnswered", "StepDecided"]);
  });

  test("that is answered with no refuses with the person's words", {
    timeout: 60_000,
  }, async () => {
    const lab = openLab();
    const asking = lab.hook("make all");
    await answerElsewhere(lab.stateDir, { decision: "no", words: "not today" });
    expect(await asking).toEqual(
      expect.objectContaining({
        permissionDecision: "deny",
        permissionDecisionReason: "the person said no: not today",
      }),
    );
  });

  test("that nobody answers is refused at its deadline", async () => {
    const lab = openLab("inbox: { hold: 200ms }\n");
    expect(await lab.hook("make all")).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "nobody answered",
    });
    expect(countOpen(lab)).toBe(0);
  });

  test("whose caller is gone is taken back", async () => {
    const lab = openLab();
    const gone = new AbortController();
    const asking = lab.hook("make all", gone.signal);
    await waitUntil(() => countOpen(lab) === 1);
    gone.abort();
    expect(await asking).toMatchObject({ permissionDecision: "deny" });
    expect(countOpen(lab)).toBe(0);
  });

  test("that comes again by the cold way joins the same row; another call does not", async () => {
    const lab = openLab();
    const first = lab.hook("make all");
    await waitUntil(() => countOpen(lab) === 1);
    const [again, other] = [lab.hook("make all"), lab.hook("make all", undefined, "id-2")];
    await waitUntil(() => countOpen(lab) === 2);
    const { listOpen, answer, close } = lab.questions();
    for (const { id } of listOpen()) answer(id, { decision: "yes" }, "shell");
    close();
    for (const asking of [first, again, other])
      expect(await asking).toMatchObject({ permissionDecision: "allow" });
    expect(lab.events().filter((type) => type === "InteractionRaised")).toHaveLength(2);
  });

  test("that was answered once is asked anew the next time", async () => {
    const lab = openLab("inbox: { hold: 100ms }\n");
    await lab.hook("make all");
    await lab.hook("make all");
    expect(lab.events().filter((type) => type === "InteractionRaised")).toHaveLength(2);
  });
});

describe("by the word of the entry itself an ask", () => {
  const held = (lab: Lab, entryLimitMs: number | undefined, id: string) => {
    const told: number[] = [];
    const entry = { entryLimitMs, onHeld: (limitMs: number) => void told.push(limitMs) };
    return { told, asking: lab.hook("make all", undefined, id, entry) };
  };

  test("waits longer than usual, and others do not", async () => {
    const lab = openLab(undefined, SHORT);
    const long = held(lab, 60_000, "id-1");
    await waitUntil(() => countOpen(lab) === 1);
    const usual = [held(lab, undefined, "id-2"), held(lab, 61_000, "id-3")];
    for (const { asking, told } of usual) {
      expect(await asking).toMatchObject({ permissionDecisionReason: "nobody answered" });
      expect(told).toEqual([]);
    }
    expect(long.told).toEqual([58_000]);
    const { listOpen, answer, close } = lab.questions();
    for (const { id } of listOpen()) answer(id, { decision: "yes" }, "shell");
    close();
    expect(await long.asking).toMatchObject({ permissionDecision: "allow" });
  });

  test("is refused when that is over, and a shorter word counts too", async () => {
    const lab = openLab(undefined, { ...SHORT, hookLimitMs: 60_000 });
    const { asking } = held(lab, 10_300, "id-1");
    expect(await asking).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "nobody answered",
    });
    expect(countOpen(lab)).toBe(0);
  });

  test("waits no longer on an agent that cannot be told so", async () => {
    const lab = openLab(undefined, { ...SHORT, maxHookLimitMs: undefined });
    const { asking, told } = held(lab, 60_000, "id-1");
    expect(await asking).toMatchObject({ permissionDecisionReason: "nobody answered" });
    expect(told).toEqual([]);
  });
});

describe("without a hold an ask is the agent's", () => {
  test.each([
    ["no setting", null],
    ["other settings", "mode: auto\n"],
    ["settings that do not parse", "inbox: { hold: 5 }\n"],
  ])("with %s", async (_, config) => {
    const lab = openLab(config);
    expect(await lab.hook("make all")).toMatchObject({ permissionDecision: "ask" });
  });

  test("and what no hook asks about is never held", async () => {
    const lab = openLab();
    expect(await lab.hook("ls")).toEqual({});
  });
});
