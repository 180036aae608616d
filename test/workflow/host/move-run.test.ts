import { describe, expect, test } from "vitest";
import { findMoveProblem } from "../../../src/workflow/host/move-run.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { sampleRun } from "../report/sample-run.ts";
import { openWorkflowHost } from "./workflow-host.ts";

const SHIP = `description: ship it
start: plan
requires: [tools]
stages:
  plan: { prompt: "Plan it", next: build }
  build: { ask: "Good?", next: end, otherwise: end }
`;

async function openAttached() {
  const host = await openWorkflowHost();
  const { sessions } = host.testProgram.program;
  const id = await host.attach("ship.yaml", SHIP);
  const move = (sessionId: string, more: object = {}) =>
    host.call("move", { runId: id, stage: "plan", sessionId, root: host.root, ...more });
  return {
    ...{ host, id, move },
    stageOf: (sessionId: string) => sessions().stages.read(sessionId),
    promptsOf: (sessionId: string) =>
      sessions()
        .turns.list(sessionId, 20)
        .map(({ prompt }) => prompt),
    questions: () => sessions().questions.listOpen(),
  };
}

describe("what is attached to a session goes on in another one", () => {
  test("in the stage where it waits: the prompt of that one starts it, not of the first", async () => {
    const { host, id, move, stageOf, promptsOf, questions } = await openAttached();
    expect(await move("other")).toEqual({ stage: "plan", from: "s" });
    expect(stageOf("s")).toBe(null);
    expect(stageOf("other")).toMatchObject({ runId: id, stage: "plan", requires: ["tools"] });
    await host.send("just so");
    await host.send("begin", "other");
    await waitUntil(() => questions().length === 1);
    expect(questions()[0]?.sessionId).toBe("other");
    expect(promptsOf("s")).toEqual(["just so"]);
    expect(promptsOf("other")).toEqual(["begin", "Plan it\n\nbegin"]);
    const told = host.events("WorkflowAttached", "WorkflowDetached");
    expect(told.map(({ type, sessionId }) => [type, sessionId])).toEqual([
      ["WorkflowAttached", "s"],
      ["WorkflowDetached", "s"],
      ["WorkflowAttached", "other"],
    ]);
  });

  test("when it was detached meanwhile: in the stage that was under way, nothing is done twice", async () => {
    const { host, id, move, stageOf, promptsOf, questions } = await openAttached();
    await host.send("");
    await waitUntil(() => questions().length === 1);
    await host.call("detach", { sessionId: "s" });
    expect(await move("other", { stage: "build" })).toEqual({ stage: "build", from: null });
    await waitUntil(() => questions().length === 1);
    expect(questions()[0]).toMatchObject({ sessionId: "other" });
    expect(stageOf("other")).toMatchObject({ stage: "build" });
    expect(promptsOf("other")).toEqual([]);
    const { questions: store } = host.testProgram.program.sessions();
    store.answer(questions()[0]?.id ?? "", true, "shell");
    expect((await host.untilEnded(id)).run?.status).toBe("done");
    expect(stageOf("other")).toBe(null);
  });

  test("not while it acts, and not where the stage is gone from its file", async () => {
    const { host, move, stageOf, questions } = await openAttached();
    await host.send("");
    await waitUntil(() => questions().length === 1);
    expect(await move("other")).toEqual({
      problem: "its stage build acts in session s; wait for its end, or detach it there",
    });
    expect([stageOf("s")?.stage, stageOf("other")]).toEqual(["build", null]);
    await host.call("detach", { sessionId: "s" });
    expect(await move("other", { stage: "gone" })).toEqual({
      problem: "it has no stage gone any more; attach it again",
    });
  });

  test("and over a host that comes later", async () => {
    const { host, move, stageOf, promptsOf, questions } = await openAttached();
    await move("other");
    await host.restart();
    expect(stageOf("other")).toMatchObject({ stage: "plan", isActing: false });
    await host.send("begin", "other");
    await waitUntil(() => questions().length === 1);
    expect(promptsOf("other")).toEqual(["begin", "Plan it\n\nbegin"]);
  });
});

const RUN = { ...sampleRun(), form: "stages", sessionId: "s", root: "/p", owner: null } as const;
const ROW = {
  ...{ runId: RUN.id, workflow: "ship", stage: "plan", isActing: false, mode: null },
  ...{ posture: [], commands: [], hide: [], requires: [] },
} as const;
const FACTS = { sessionId: "other", root: "/p", here: null, there: ROW, isOurs: true } as const;

test.each([
  ["waits elsewhere", { ...RUN, status: "waiting" }, {}, null],
  ["was stopped", { ...RUN, status: "stopped" }, { there: null }, null],
  ["is done", { ...RUN, status: "done" }, {}, "its run is done; attach it again"],
  ["is no longer kept", null, { there: null }, "its run is gone; attach it again"],
  [
    "is another project's",
    { ...RUN, status: "waiting", root: "/q" },
    {},
    "it belongs to /q; resume it there",
  ],
  [
    "finds another one here",
    { ...RUN, status: "waiting" },
    { here: { ...ROW, workflow: "mine" } },
    "`mine` is attached here; `adj workflow detach` first",
  ],
  [
    "has an owner that lives",
    { ...RUN, status: "waiting", owner: { pid: 7, startedAt: "t", host: "h" } },
    { isOurs: false },
    "process 7 has it",
  ],
] as const)("a workflow whose run %s", (_, run, more, problem) => {
  expect(findMoveProblem(run, { ...FACTS, ...more })).toBe(problem);
});
