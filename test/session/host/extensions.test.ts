import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonValue } from "../../../src/core/command/context.ts";
import { fault } from "../../../src/core/command/fault.ts";
import type {
  HostExtension,
  HostServices,
  TurnOrder,
} from "../../../src/core/commands/host-extension.ts";
import type { Turn } from "../../../src/core/store/turn-row.ts";
import { createHostClient } from "../../../src/session/host/client.ts";
import { openHost } from "../../../src/session/host/open-host.ts";
import type { HostEvent } from "../../../src/session/host/session-host.ts";
import { openTestProgram } from "../../support/program-of-commands.ts";
import { waitUntil } from "../../support/wait-until.ts";

const STAGE = {
  ...{ runId: "wf_1", workflow: "ship", stage: "plan", isActing: false, mode: null },
  ...{ posture: [], commands: [], hide: [], requires: [] },
};

/** A real host with an extension that does what the test says. */
async function openWithExtension(part: Partial<HostExtension> = {}) {
  const testProgram = openTestProgram();
  const done: string[] = [];
  const lent: HostServices[] = [];
  const extension: HostExtension = {
    name: "sample",
    busy: 0,
    call: async (method, body, env) => ({ method, body, token: env.TOKEN ?? null }),
    takePrompt: async () => false,
    takeOver: async () => void done.push("taken over"),
    drain: async () => void done.push("drained"),
    close: async () => void done.push("closed"),
    ...part,
  };
  const host = async () => (services: HostServices) => {
    lent.push(services);
    return extension;
  };
  const program = { ...testProgram.program, features: [{ name: "sample", commands: {}, host }] };
  const env = { PATH: process.env.PATH ?? "" };
  const opened = await openHost({
    ...{ program, env, surface: "cli", stop: () => undefined, waitsForOthers: false },
  });
  onTestFinished(() => opened.close());
  const { port, key } = opened.listening;
  const owner = { pid: process.pid, startedAt: "", host: "" };
  const address = { port, version: "1", clientKey: key, serverKey: "", owner };
  const options = {
    ...{
      cwd: testProgram.root,
      root: testProgram.root,
      agent: "replay",
      model: null,
      params: {},
      via: null,
    },
  };
  const order = (text: string, sessionId = "s"): TurnOrder => ({ sessionId, text, options, env });
  const services = async (): Promise<HostServices> => {
    await opened.host.callExtension("sample", "wake", null, {});
    const [first] = lent;
    if (first === undefined) throw new TypeError("nothing was opened");
    return first;
  };
  return { testProgram, opened, client: createHostClient(address), done, lent, order, services };
}

describe("a call", () => {
  test("reaches the extension over loopback, with the caller's variables", async () => {
    const { client, lent } = await openWithExtension();
    expect(lent).toEqual([]);
    const answer = await client.callExtension("sample", "start", { n: 1 }, { TOKEN: "t" });
    expect(answer).toEqual({ method: "start", body: { n: 1 }, token: "t" });
    await client.callExtension("sample", "start", null, {});
    expect(lent).toHaveLength(1);
  });

  test.each(["client", "inside"] as const)(
    "that is refused throws the extension's own fault: %s",
    async (way) => {
      const refusal = fault("StageActive", { command: "params", workflow: "w", stage: "s" });
      const { client, opened } = await openWithExtension({ call: () => Promise.reject(refusal) });
      const host = way === "client" ? client : opened.host;
      await expect(host.callExtension("sample", "attach", null, {})).rejects.toMatchObject({
        code: "StageActive",
        exitCode: refusal.exitCode,
        message: refusal.message,
      });
    },
  );

  test("of an extension that is not there says so", async () => {
    const { client } = await openWithExtension();
    const call = client.callExtension("other", "start", null, {});
    await expect(call).rejects.toThrow("extension `other`: there is none");
  });
});

describe("a turn of an extension", () => {
  test("is waited for to its end, and every change of it is told", async () => {
    const { services, order } = await openWithExtension();
    const seen: Turn[] = [];
    const { runTurn } = await services();
    const turn = await runTurn(order("hello"), AbortSignal.timeout(30_000), (one) => {
      seen.push(one);
    });
    expect(turn).toMatchObject({ status: "done", agent: "replay" });
    expect(seen.map(({ status }) => status)).toEqual(
      expect.arrayContaining(["queued", "running", "done"]),
    );
    // Known before its end, so that a killed host's turn can be gone on with.
    const early = seen.find(({ status, conversation }) => status === "running" && conversation);
    expect(early?.conversation).toBe(turn.conversation);
  });

  test("is cancelled with the signal, in the queue and outside", async () => {
    const { services, order, testProgram } = await openWithExtension();
    const { runTurn } = await services();
    const stop = new AbortController();
    const turns = [1, 2].map((n) => runTurn(order(`${n}`), stop.signal));
    await waitUntil(() => testProgram.program.sessions().turns.count("s") === 2);
    stop.abort();
    const ended = await Promise.all(turns);
    expect(ended.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    await expect(runTurn(order("3"), stop.signal)).rejects.toThrow();
  });
});

describe("a person's prompt", () => {
  test("is offered to the extension where the session has a stage, and nowhere else", async () => {
    const offered: string[] = [];
    const takePrompt = async ({ sessionId, text }: TurnOrder) => {
      offered.push(`${sessionId}: ${text}`);
      return text === "mine";
    };
    const { testProgram, client, order } = await openWithExtension({ takePrompt });
    const { stages, turns } = testProgram.program.sessions();
    stages.write("s", STAGE);
    await client.send(order("elsewhere", "other"));
    const taken = await client.send(order("mine"));
    const left = await client.send(order("not mine"));
    expect(offered).toEqual(["s: mine", "s: not mine"]);
    const ends = async (sent: typeof taken) => {
      const id = sent.kind === "queued" ? sent.turn.id : "";
      await waitUntil(() => turns.read(id)?.endedAt !== null);
      return turns.read(id);
    };
    // The stage's own turns follow; this one was the word that starts them.
    expect(await ends(taken)).toMatchObject({ status: "done", answer: "", agent: null });
    expect(await ends(left)).toMatchObject({ status: "done", agent: "replay" });
  });

  test("of an extension itself is never offered back", async () => {
    const takePrompt = () => Promise.reject(new TypeError("offered back"));
    const { testProgram, services, order } = await openWithExtension({ takePrompt });
    testProgram.program.sessions().stages.write("s", STAGE);
    const turn = await (await services()).runTurn(order("hello"), AbortSignal.timeout(30_000));
    expect(turn.status).toBe("done");
  });
});

test("what an extension tells goes to the windows of that session", async () => {
  const { client, services } = await openWithExtension();
  const { tell } = await services();
  const stop = new AbortController();
  const seen: JsonValue[] = [];
  const following = (async () => {
    const follow = { sessionId: "s", signal: stop.signal, onOpen: () => tellBoth() };
    for await (const event of client.follow(follow)) {
      if (isExtension(event)) seen.push(event.data);
      stop.abort();
    }
  })();
  const tellBoth = () => {
    tell("other", "not for it");
    tell("s", { stage: "plan" });
  };
  await following;
  expect(seen).toEqual([{ stage: "plan" }]);
});

const isExtension = (event: HostEvent) => event.kind === "extension";

test("what an extension has under way keeps the host, which tells it when it leaves", async () => {
  const { opened, done, services } = await openWithExtension({ busy: 2 });
  expect(opened.host.busy).toBe(0);
  await services();
  expect(opened.host.busy).toBe(2);
  await opened.host.extensions.takeOver();
  await opened.host.drain();
  await opened.host.close();
  expect(done).toEqual(["taken over", "drained", "closed"]);
});
