import { describe, expect, test } from "vitest";
import { writeFiles } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { openWorkflowHost } from "./workflow-host.ts";

const META = 'export const meta = { name: "sample", description: "a sample" };\n';

/** A host whose user has a command `build`. */
async function openBuildingHost() {
  const host = await openWorkflowHost();
  const build = "build:\n  description: Build it\n  argv: [printf, built]\n";
  writeFiles(host.testProgram.configDir, { "commands.yaml": build });
  return host;
}

describe("a script", () => {
  test("runs in the host: calls, commands, a question; its result is in the journal", async () => {
    const host = await openBuildingHost();
    const id = await host.start(
      "sample.js",
      `${META}
const answers = await parallel([() => agent("one"), () => agent("two")]);
const built = await adj.command("build");
const isYes = await adj.ask("go on?");
return { answers: answers.length, built: built.output, isYes };`,
    );
    const { questions } = host.testProgram.program.sessions();
    await waitUntil(() => questions.listOpen().length === 1);
    const [question] = questions.listOpen();
    expect(question).toMatchObject({ kind: "confirm", text: "go on?", deadlineAt: null });
    expect(host.journal.readRun(id)?.status).toBe("waiting");
    questions.answer(question?.id ?? "", true, "shell");
    const { run, entries } = await host.untilEnded(id);
    expect(run).toMatchObject({
      status: "done",
      agent: "replay",
      result: { answers: 2, built: "built", isYes: true },
    });
    expect(entries.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      "agent done",
      "agent done",
      "command done",
      "ask done",
    ]);
    const calls = entries.filter(({ kind }) => kind === "agent");
    for (const { runIds, conversation, sessionId } of calls) {
      expect(runIds).toHaveLength(1);
      expect(conversation).not.toBe(null);
      expect(sessionId).toMatch(new RegExp(`^${id}\\.`));
    }
    expect(host.events("WorkflowStarted", "WorkflowEnded").map(({ data }) => data)).toMatchObject([
      { run: id, workflow: "sample", form: "script", agent: "replay" },
      { run: id, status: "done" },
    ]);
  });

  test("is not started where nobody said that it may run", async () => {
    const host = await openWorkflowHost();
    const text = `${META}return 1;`;
    const { hash, file } = host.write("sample.js", text);
    host.testProgram.program.sessions().forget(null, `workflow:${hash}`);
    const limits = { usd: null, tokens: null, calls: null, timeMs: null };
    const start = host.call("start", { ...host.place, file, hash, limits, atOnce: 2 });
    await expect(start).rejects.toMatchObject({ class: "Consent", code: "Required" });
    expect(host.journal.listRuns({})).toEqual([]);
  });

  test("is gone on with by the next host, and what is finished is not done again", async () => {
    const host = await openWorkflowHost();
    const id = await host.start(
      "sample.js",
      `${META}
const first = await agent("one");
const name = await adj.ask("your name?", { input: true });
const second = await agent("two " + name);
return [first.length > 0, second.length > 0, name];`,
    );
    const { questions } = host.testProgram.program.sessions();
    await waitUntil(() => questions.listOpen().length === 1);
    const [asked] = questions.listOpen();
    await host.restart();
    // The very same question: a person may have its id on the screen.
    await waitUntil(() => host.host().extensions.busy === 1);
    expect(questions.listOpen().map((one) => one.id)).toEqual([asked?.id]);
    questions.answer(asked?.id ?? "", "Ada", "shell");
    const { run, entries } = await host.untilEnded(id);
    expect(run?.result).toEqual([true, true, "Ada"]);
    expect(entries.map(({ starts, runIds }) => [starts, runIds.length])).toEqual([
      [1, 1],
      [2, 0],
      [1, 1],
    ]);
  });

  test("gets an answer that was given while no host was there", async () => {
    const host = await openWorkflowHost();
    const id = await host.start("sample.js", `${META}return adj.ask("really?");`);
    const { questions } = host.testProgram.program.sessions();
    await waitUntil(() => questions.listOpen().length === 1);
    const [asked] = questions.listOpen();
    await host.host().close();
    questions.closeLost(new Date().toISOString());
    expect(questions.answer(asked?.id ?? "", false, "shell")).toBe(true);
    await host.restart();
    expect((await host.untilEnded(id)).run?.result).toBe(false);
  });

  test("sees a call that went wrong for good as null, and it is counted", async () => {
    const host = await openWorkflowHost();
    const { run, entries } = await host.run(
      "sample.js",
      `${META}
const unknown = await agent("x", { agent: "nobody" }).catch((error) => error.message);
const typed = await agent("x", { agentType: "nobody" }).catch((error) => error.message);
const isolated = await agent("x", { isolation: "worktree" }).catch((error) => error.message);
return [unknown, typed, isolated];`,
    );
    expect(run?.result).toEqual([
      expect.stringContaining("unknown agent `nobody`"),
      expect.stringContaining("unknown agent type `nobody`"),
      expect.stringContaining("is not in a git repository"),
    ]);
    expect(entries.map(({ problem }) => problem?.code)).toEqual([
      "AgentUnknown",
      "AgentTypeUnknown",
      "IsolationRefused",
    ]);
  });
});

describe("stages", () => {
  test("run by themselves from the first to the end", async () => {
    const host = await openBuildingHost();
    const { run, entries } = await host.run(
      "ship.yaml",
      `description: ship it
start: plan
stages:
  plan: { prompt: "Plan it", next: make }
  make: { command: build, next: end }
`,
    );
    expect(run).toMatchObject({ status: "done", form: "stages" });
    expect(entries.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      "agent done",
      "command done",
    ]);
    const seen = host
      .events("StageEntered", "StageLeft")
      .map(({ type, data }) => `${type} ${data.stage}`);
    expect(seen).toEqual([
      "StageEntered plan",
      "StageLeft plan",
      "StageEntered make",
      "StageLeft make",
    ]);
  });
});
