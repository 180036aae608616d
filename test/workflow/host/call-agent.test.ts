import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { changeByGit } from "../../../src/workflow/worktree/repository.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { openWorkflowHost } from "./workflow-host.ts";

const META = 'export const meta = { name: "sample", description: "a sample" };\n';
const ONE_CALL = `${META}return agent("do it");`;
const WRITING = { steps: [{ write: { path: "made.txt", content: "made" } }, { say: "written" }] };
const SHELL = { steps: [{ shell: "touch made.txt" }, { say: "touched" }] };

type Lab = Awaited<ReturnType<typeof openWorkflowHost>>;
const made = ({ root }: Lab) => existsSync(join(root, "made.txt"));
const open = ({ testProgram }: Lab) => testProgram.program.sessions().questions.listOpen();

describe("what a call may do unasked", () => {
  test("edits inside its workspace pass", async () => {
    const host = await openWorkflowHost({ cassette: WRITING });
    const { run } = await host.run("sample.js", ONE_CALL);
    expect([run?.result, made(host)]).toEqual(["written", true]);
    expect(host.events("InteractionRaised")).toEqual([]);
  });

  test("everything else waits in the inbox, without a deadline, and the run says so", async () => {
    const host = await openWorkflowHost({ cassette: SHELL });
    const id = await host.start("sample.js", ONE_CALL);
    await waitUntil(() => open(host).length === 1);
    const [question] = open(host);
    expect(question).toMatchObject({ kind: "approval", deadlineAt: null });
    await waitUntil(() => host.journal.readRun(id)?.status === "waiting");
    expect(host.journal.listEntries(id)[0]?.waiting).toContain(question?.id);
    expect(made(host)).toBe(false);
    host.testProgram.program
      .sessions()
      .questions.answer(question?.id ?? "", { decision: "yes" }, "shell");
    const { run } = await host.untilEnded(id);
    expect([run?.status, made(host)]).toEqual(["done", true]);
    expect(host.journal.listEntries(id)[0]?.waiting).toBe(null);
  });

  test("a mode for the run counts instead", async () => {
    const host = await openWorkflowHost({ cassette: SHELL });
    const { run } = await host.run("sample.js", ONE_CALL, { mode: "auto" });
    expect([run?.status, made(host)]).toEqual(["done", true]);
    const asking = await openWorkflowHost({ cassette: WRITING });
    await asking.start("sample.js", ONE_CALL, { mode: "allowlist" });
    await waitUntil(() => open(asking).length === 1);
  });

  test("its session is in no list, and nothing of it stays", async () => {
    const host = await openWorkflowHost({ cassette: WRITING });
    const { entries } = await host.run("sample.js", ONE_CALL);
    const sessionId = entries[0]?.sessionId ?? "";
    expect(host.testProgram.program.sessions().stages.read(sessionId)).toBe(null);
    const listed = await host.testProgram.run(["sessions", "--json"]);
    expect(JSON.stringify(listed.result)).not.toContain(sessionId);
  });
});

describe("an answer as data", () => {
  const SCHEMA = `{ type: "object", properties: { ok: { type: "boolean" }, why: { type: "string" } }, required: ["ok"] }`;
  const ASKED = `${META}return agent("is it good?", { schema: ${SCHEMA} });`;

  test("is asked for again in the same conversation until it fits", async () => {
    const host = await openWorkflowHost({
      cassette: {
        steps: [
          { say: "I think so" },
          { prompt: "again" },
          { say: '{"ok":"yes"}' },
          { prompt: "again" },
          { say: '```json\n{"ok":true,"why":null}\n```' },
        ],
      },
    });
    const { run, entries } = await host.run("sample.js", ASKED);
    // A null for what may be left out is left out, as strict schemas have it.
    expect(run?.result).toEqual({ ok: true });
    const turns = host.testProgram.program.sessions().turns.list(entries[0]?.sessionId ?? "", 10);
    expect(turns.map(({ prompt }) => prompt.split("\n")[0])).toEqual([
      expect.stringContaining("You were called by a script"),
      expect.stringContaining("That does not do: it holds no JSON. Answer again."),
      expect.stringContaining("That does not do: `ok` must be boolean. Answer again."),
    ]);
    expect(entries[0]?.runIds).toHaveLength(3);
  });

  test("that never fits is an error of the call with the last problem", async () => {
    const host = await openWorkflowHost({
      cassette: { steps: [1, 2, 3, 4, 5].flatMap((n) => [{ prompt: "x" }, { say: `[${n}]` }]) },
    });
    const { run, entries } = await host.run("sample.js", ASKED);
    expect(run).toMatchObject({ status: "failed" });
    expect(run?.reason).toContain("the answer does not fit the schema: it must be object");
    expect(entries[0]).toMatchObject({ status: "failed", problem: { code: "SchemaUnmet" } });
    expect(entries[0]?.runIds).toHaveLength(5);
  });

  test("by a schema that is none is refused before any agent starts", async () => {
    const host = await openWorkflowHost();
    const { run, entries } = await host.run(
      "sample.js",
      `${META}return agent("x", { schema: { type: "object", properties: { a: { type: "nonsense" } } } });`,
    );
    expect(run?.status).toBe("failed");
    expect(entries.flatMap(({ runIds }) => runIds)).toEqual([]);
  });
});

describe("a call in a worktree of its own", () => {
  async function openRepository(cassette: object) {
    const host = await openWorkflowHost({ cassette });
    const { signal } = new AbortController();
    const git = (...words: string[]) =>
      changeByGit({ cwd: host.root, env: host.env, signal }, ...words);
    writeFiles(host.root, { "a.txt": "one\n" });
    await git("init", "--quiet");
    await git("add", "a.txt");
    await git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "-m", "first");
    return { host, git };
  }
  const ISOLATED = `${META}return agent("do it", { isolation: "worktree" });`;

  test("edits there unasked; what it changed stays, and the project is as it was", async () => {
    const { host } = await openRepository(WRITING);
    const { run, entries } = await host.run("sample.js", ISOLATED);
    expect([run?.status, made(host), host.events("InteractionRaised")]).toEqual([
      "done",
      false,
      [],
    ]);
    const { worktree } = entries[0] ?? {};
    expect(existsSync(join(worktree?.path ?? "", "made.txt"))).toBe(true);
    expect(worktree?.branch).toBe(`adjutant/${run?.id}/1`);
  });

  test("leaves nothing behind where it changed nothing", async () => {
    const { host, git } = await openRepository({ steps: [{ say: "looked" }] });
    const { entries } = await host.run("sample.js", ISOLATED);
    expect(entries[0]?.worktree).toBe(null);
    expect((await git("worktree", "list")).text.split("\n")).toHaveLength(1);
    expect((await git("branch", "--list", "adjutant/*")).text).toBe("");
  });
});

test("an agent type is words that any agent gets", async () => {
  const host = await openWorkflowHost();
  writeFiles(host.root, {
    ".claude/agents/critic.md": "---\nname: critic\ndescription: finds faults\n---\nFind faults.\n",
  });
  const { entries } = await host.run(
    "sample.js",
    `${META}return agent("look", { agentType: "critic" });`,
  );
  const [turn] = host.testProgram.program.sessions().turns.list(entries[0]?.sessionId ?? "", 1);
  expect(turn?.prompt).toMatch(/^Find faults\.\n\nYou were called by a script.*\n\nlook$/s);
});
