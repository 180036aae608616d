import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openState } from "../../../src/core/store/state.ts";
import { createAdjutant } from "../../../src/program.ts";
import type { HostEvent } from "../../../src/session/host/session-host.ts";
import { makeHome } from "../../program/adj.ts";
import { inTier } from "../../support/tier.ts";

const AGENT = join(import.meta.dirname, "../../agents/protocol/acp/fixtures/staying-agent.ts");
const ASKING = { agent: "acp", params: { argv: [process.execPath, AGENT, "goes-on"] } };

/** Sends to an agent that asks and asks; whoever is asked says yes to all but every tenth. */
async function sendAndAnswer(prompt: string) {
  const home = makeHome();
  const adjutant = await createAdjutant({
    cwd: home.project,
    env: { ...home.env, ADJ_HOST: "off" },
  });
  onTestFinished(() => adjutant.close());
  const store = openState(home.stateDir);
  onTestFinished(() => store.close());
  const session = await adjutant.sessions.open();
  const asked = new Set<string>();
  let mostOpen = 0;
  const onEvent = (event: HostEvent) => {
    if (event.kind !== "question" || event.question.status !== "open") return;
    const { id } = event.question;
    asked.add(id);
    mostOpen = Math.max(mostOpen, store.questions.listOpen().length);
    store.questions.answer(id, asked.size % 10 === 0 ? "no" : "yes", "test");
  };
  const turn = await session.send(prompt, { ...ASKING, onEvent });
  return { turn, asked, mostOpen, store, session };
}

test.each([
  ["one after the other", `ask-one-by-one ${inTier(20, 200)}`],
  ["all at once", `ask-at-once ${inTier(100, 1000)}`],
])(
  "an agent that asks a thousand questions in a turn, %s, gets every answer",
  async (_, prompt) => {
    const { turn, asked, mostOpen, store, session } = await sendAndAnswer(prompt);
    const count = Number(prompt.split(" ").at(-1));
    expect(turn.status).toBe("done");
    expect(turn.answer).toContain(`allowed ${count - count / 10}`);
    expect(asked.size).toBe(count);
    expect(mostOpen).toBeLessThanOrEqual(20);
    expect(store.questions.listOpen()).toEqual([]);
    expect(await session.send("say and on", ASKING)).toMatchObject({ status: "done" });
  },
  180_000,
);

test("a turn that is cancelled with a thousand questions leaves none open", async () => {
  const home = makeHome();
  const env = { ...home.env, ADJ_HOST: "off" };
  const adjutant = await createAdjutant({ cwd: home.project, env });
  onTestFinished(() => adjutant.close());
  const session = await adjutant.sessions.open();
  const stop = new AbortController();
  const onEvent = ({ kind }: HostEvent) => (kind === "question" ? stop.abort() : undefined);
  const turn = await session.send("ask-at-once 1000", { ...ASKING, signal: stop.signal, onEvent });
  expect(turn.status).toBe("cancelled");
  expect(await session.questions()).toEqual([]);
  expect(await session.send("say and on", ASKING)).toMatchObject({ status: "done" });
});
