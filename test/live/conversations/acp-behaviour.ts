// What a conversation over the Agent Client Protocol does with a real CLI, whichever it is.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LogEvent } from "../../../src/agents/log/event.ts";
import type { UsageFigures } from "../../../src/agents/log/usage.ts";
import type { ToolArguments } from "../../../src/core/step/envelope.ts";
import type { RecordedRequest } from "../../../src/sim/recorded-request.ts";
import { waitUntil } from "../../support/wait-until.ts";
import type { LabCli } from "../lab.ts";
import { type TalkOptions, withTalk } from "./acp-talk.ts";

export interface AcpTalker extends Partial<TalkOptions> {
  readonly cli: LabCli;
  /** Those that it is switched to, one after the other. */
  readonly models: readonly string[];
  modelOf(request: RecordedRequest): string | null;
  /** How it calls its shell for `touch made.txt`. */
  readonly shell: { readonly tool: string; readonly args: ToolArguments };
  /** Of the first and the second turn, each with one answer of the model's. */
  readonly usage: readonly [Partial<UsageFigures>, Partial<UsageFigures>];
  readonly resumedUsage: Partial<UsageFigures>;
}

const MINUTES = 180_000;
const USAGE =
  "{ input_tokens: 1111, output_tokens: 222, cache_read_tokens: 333, reasoning_tokens: 55 }";

const usageOf = (events: readonly LogEvent[]) =>
  events.flatMap((event) => (event.kind === "usage" ? [event.figures] : []));
const finalsOf = (events: readonly LogEvent[]) => events.filter(({ kind }) => kind === "final");
const sessionsOf = (events: readonly LogEvent[]) =>
  events.flatMap((event) => (event.kind === "init" ? [event.sessionId] : []));

export function describeAcpTalk(talker: AcpTalker): void {
  test(
    "keeps the thread over prompts, models, a cancel and another process",
    { timeout: MINUTES },
    () =>
      withTalk({ ...talker, scenario: writeThread(talker.models) }, async (first) => {
        const one = await first.send("first ALPHA");
        expect(one.ending).toEqual({ kind: "ended" });
        expect(one.said).toEqual(["One."]);
        expect(finalsOf(one.events)).toMatchObject([{ isSuccess: true }]);
        const { id } = first.conversation;
        expect(sessionsOf(one.events)).toEqual([id]);
        const two = await first.send("second");
        expect([usageOf(one.events), usageOf(two.events)]).toMatchObject(
          talker.usage.map((figures) => [figures]),
        );
        for (const model of talker.models) {
          const three = await first.send("third", { model });
          expect(three.said).toEqual(["Again."]);
          expect(first.requests().map(talker.modelOf).at(-1)).toBe(model);
        }
        expect(first.requests().at(-1)?.body).toContain("first ALPHA");

        const stop = new AbortController();
        const count = first.requests().length;
        const slow = first.send("slow", { signal: stop.signal });
        await waitUntil(() => first.requests().length > count, 30_000);
        stop.abort();
        expect((await slow).ending).toEqual({ kind: "cancelled" });
        expect(first.conversation.isOpen).toBe(true);
        expect((await first.send("after the cancel")).said).toEqual(["Here."]);

        await first.conversation.close();
        expect(first.members()).toEqual([]);
        expect(first.conversation.isOpen).toBe(false);
        const second = await first.reopen(id ?? "");
        const later = await second.send("later");
        expect(later.ending).toEqual({ kind: "ended" });
        expect(later.said).toEqual(["Later."]);
        expect(sessionsOf(later.events)).toEqual([id]);
        expect(usageOf(later.events)).toMatchObject([talker.resumedUsage]);
        expect(second.requests().at(-1)?.body).toContain("first ALPHA");
        await second.conversation.close();
        expect(second.members()).toEqual([]);
      }),
  );

  test("asks before it runs a command, and is told why one is refused", { timeout: MINUTES }, () =>
    withTalk({ ...talker, scenario: TOOLS }, async (talk) => {
      const allowed = await talk.send("do it");
      expect(allowed.asked).toMatchObject([talker.shell]);
      expect(existsSync(join(talk.workspace, "made.txt"))).toBe(true);
      expect(allowed.events).toContainEqual(
        expect.objectContaining({ kind: "tool_call", name: talker.shell.tool }),
      );
      const refused = await talk.send("do another", {
        decideTool: async () => ({ kind: "deny", reason: "use the OTHER way" }),
      });
      expect(refused.ending).toEqual({ kind: "ended" });
      expect(existsSync(join(talk.workspace, "refused.txt"))).toBe(false);
      expect(talk.requests().at(-1)?.body).toContain("use the OTHER way");
      expect(finalsOf(refused.events)).toHaveLength(1);
      expect(refused.said.at(-1)).toBe("I see.");
      expect(readdirSync(talk.logDir)).toContain("stdout");
    }),
  );

  test("does not know an id that nobody gave it, and asks no model", { timeout: MINUTES }, () =>
    withTalk({ ...talker, scenario: writeThread(talker.models) }, async (talk) => {
      const stranger = await talk.reopen("00000000-0000-4000-8000-000000000000");
      expect((await stranger.send("hello")).ending).toMatchObject({ kind: "forgotten" });
      expect(stranger.requests()).toEqual([]);
    }),
  );
}

const writeThread = (models: readonly string[]): string => `
turns:
  - { text: One., usage: ${USAGE} }
  - { text: Two., usage: ${USAGE} }
${models.map(() => "  - { text: Again. }").join("\n")}
  - { fault: { hang: true }, text: Here. }
  - { text: Later., usage: ${USAGE} }
`;

const TOOLS = `
turns:
  - { tool_calls: [{ tool: shell, command: "touch made.txt" }] }
  - { text: Done. }
  - { tool_calls: [{ tool: shell, command: "touch refused.txt" }] }
  - { text: I see. }
  - { text: I see. }
`;
