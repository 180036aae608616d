// What a real CLI must show that keeps a conversation by stream-json.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { StepHook } from "../../../src/agents/run/conversation.ts";
import type { SaidTurn } from "../../agents/run/send-turn.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { findLabCli, type LabAgent, missingMessage } from "../lab.ts";
import { startTalk } from "./stream-json-talk.ts";

const USAGE = "usage: { input_tokens: 100, output_tokens: 10 }";
const THREE = `
${USAGE}
turns: [{ text: First answer. }, { text: Second answer. }, { text: Third answer. }]`;
const WRITING = `
turns:
  - { text: I write., tool_calls: [{ tool: write, path: made.txt, content: hello }] }
  - { text: Written. }
  - { text: I write more., tool_calls: [{ tool: write, path: other.txt, content: hello }] }
  - { text: So be it. }`;
// What is kept of an answer that was cut differs, and with it the place in the conversation.
const SLOW = `
turns:
  - { when: { user: NEXT }, text: Here again. }
  - { when: { user: SLOWLY }, text: one two three four five six seven eight, delay: 1s }
  - { when: { user: NEXT }, text: Here again. }`;

const ENDED = { kind: "ended" };

const outputOf = ({ events }: SaidTurn) =>
  events.flatMap((event) => (event.kind === "usage" ? [event.figures.output] : []));

interface StreamJsonFacts {
  /** Another one than it begins with. */
  readonly otherModel: string;
  /** Whether its client is asked before its hooks are. */
  readonly asksFirst: boolean;
}

export function describeStreamJson(agent: LabAgent, facts: StreamJsonFacts): void {
  const { otherModel, asksFirst } = facts;
  const cli = findLabCli(agent);
  describe(agent, () => {
    if (cli === null) return test.skip(missingMessage(agent));
    test("keeps the thread over three prompts, the third to another model, and counts each by itself", async () => {
      const talk = await startTalk(cli, THREE);
      const conversation = await talk.open();
      const turns = [
        await talk.say(conversation, "Remember ALPHA."),
        await talk.say(conversation, "Go on."),
        await talk.say(conversation, "And now?", { model: otherModel }),
      ];
      for (const { ending, events } of turns) {
        expect(ending).toEqual(ENDED);
        expect(events.filter(({ kind }) => kind === "final")).toMatchObject([{ isSuccess: true }]);
        const init = events.find((event) => event.kind === "init");
        expect(init).toMatchObject({ sessionId: conversation.id, model: expect.any(String) });
      }
      expect(turns.map(outputOf)).toEqual([[10], [10], [10]]);
      const [first, , third] = talk.requests();
      expect(third?.body).toContain("ALPHA");
      expect(third?.request?.model).toBe(otherModel);
      expect(first?.request?.model).not.toBe(otherModel);
    });

    test("asks before it writes: allowed it does, refused the model hears why", async () => {
      const talk = await startTalk(cli, WRITING);
      const conversation = await talk.open();
      const allowed = await talk.say(conversation, "Write.", {
        answer: { kind: "allow", args: null },
      });
      expect(allowed.ending).toEqual(ENDED);
      expect(allowed.asked).toHaveLength(1);
      expect(existsSync(join(talk.workspace, "made.txt"))).toBe(true);
      const refused = await talk.say(conversation, "Write more.", {
        answer: { kind: "deny", reason: "because of REASON-7" },
      });
      expect(refused.ending).toEqual(ENDED);
      expect(existsSync(join(talk.workspace, "other.txt"))).toBe(false);
      expect(talk.requests().at(-1)?.body).toContain("REASON-7");
      // Its suggestions, had they been sent back, would be rules in the project.
      expect(existsSync(join(talk.workspace, ".claude", "settings.local.json"))).toBe(false);
    });

    test("is cancelled in the middle of an answer, and takes the next prompt", async () => {
      const talk = await startTalk(cli, SLOW);
      const conversation = await talk.open();
      const stop = new AbortController();
      const cancelling = talk.say(conversation, "Answer SLOWLY.", {
        signal: stop.signal,
        onEvent: ({ kind }) => {
          if (kind === "delta") stop.abort();
        },
      });
      expect((await cancelling).ending).toEqual({ kind: "cancelled" });
      expect(conversation.isOpen).toBe(true);
      const next = await talk.say(conversation, "Now NEXT.");
      expect(next.ending).toEqual(ENDED);
      expect(JSON.stringify(next.events)).toContain("Here again.");
    });

    test("is closed without a rest, goes on by its id, and knows no other", async () => {
      const talk = await startTalk(cli, THREE);
      const first = await talk.open();
      await talk.say(first, "Remember ALPHA.");
      const { id } = first;
      await first.close();
      await waitUntil(() => talk.left().length === 0);
      const second = await talk.open({ resume: id });
      expect((await talk.say(second, "Go on.")).ending).toEqual(ENDED);
      expect(second.id).toBe(id);
      expect(talk.requests().at(-1)?.body).toContain("ALPHA");
      const asked = talk.requests().length;
      const third = await talk.open({ resume: "11111111-2222-4333-8444-555555555555" });
      expect((await talk.say(third, "Go on.")).ending.kind).toBe("forgotten");
      expect(talk.requests()).toHaveLength(asked);
    });

    test("calls the hook of this run, whose refusal the model hears", async () => {
      const talk = await startTalk(cli, WRITING);
      const conversation = await talk.open({ stepHook: makeRefusingHook() });
      const turn = await talk.say(conversation, "Write.", {
        answer: { kind: "allow", args: null },
      });
      expect(turn.ending).toEqual(ENDED);
      expect(turn.asked).toHaveLength(asksFirst ? 1 : 0);
      expect(existsSync(join(talk.workspace, "made.txt"))).toBe(false);
      expect(talk.requests().at(-1)?.body).toContain("REASON-8");
    });
  });
}

/** In the words that both take. */
function makeRefusingHook(): StepHook {
  const file = join(temporaryFolder(), "a hook.mjs");
  const refusal = { permissionDecision: "deny", permissionDecisionReason: "because of REASON-8" };
  const answer = { hookSpecificOutput: { hookEventName: "PreToolUse", ...refusal } };
  writeFileSync(file, `process.stdout.write(${JSON.stringify(JSON.stringify(answer))});\n`);
  return { argv: [process.execPath, file], env: {}, limitMs: 50_000 };
}
