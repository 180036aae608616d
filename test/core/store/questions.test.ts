import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import type { NewQuestion } from "../../../src/core/store/questions.ts";
import { openState } from "../../../src/core/store/state.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const QUESTION: NewQuestion = {
  id: "q1",
  sessionId: "s1",
  turnId: "t1",
  kind: "approval",
  text: "codex wants to run `touch x`",
  details: { tool: "Bash" },
  choices: ["yes", "no"],
  fallback: { decision: "no" },
  deadlineAt: null,
};
const NOW = "2026-11-17T12:00:00.000Z";

function openFresh() {
  const folder = temporaryFolder();
  const store = openState(folder);
  onTestFinished(() => store.close());
  return { folder, questions: store.questions };
}

function edit(folder: string, sql: string): void {
  const database = new DatabaseSync(join(folder, "state.db"));
  database.exec(sql);
  database.close();
}

describe("a question", () => {
  test("is a row that every process sees, until the first answer", () => {
    const { folder, questions } = openFresh();
    const other = openState(folder);
    onTestFinished(() => other.close());
    questions.ask(QUESTION);
    expect(other.questions.listOpen()).toMatchObject([QUESTION]);
    expect(other.questions.answer("q1", { decision: "yes" }, "shell")).toBe(true);
    expect(questions.answer("q1", { decision: "no" }, "console")).toBe(false);
    expect(questions.read("q1")).toMatchObject({
      status: "answered",
      answer: { decision: "yes" },
      answeredBy: "shell",
    });
    expect(questions.listOpen()).toEqual([]);
  });

  test("that is past its deadline is over, without an answer", () => {
    const { questions } = openFresh();
    questions.ask({ ...QUESTION, deadlineAt: "2026-11-17T11:59:59.000Z" });
    questions.ask({ ...QUESTION, id: "q2", deadlineAt: "2026-11-17T12:00:01.000Z" });
    expect(questions.closeLost(NOW).map(({ id, status }) => [id, status])).toEqual([
      ["q1", "expired"],
    ]);
    expect(questions.answer("q1", true, "shell")).toBe(false);
    expect(questions.listOpen().map(({ id }) => id)).toEqual(["q2"]);
  });

  test("whose asker has ended closes", () => {
    const { folder, questions } = openFresh();
    questions.ask(QUESTION);
    expect(questions.closeLost(NOW)).toEqual([]);
    edit(folder, "UPDATE question SET pid = 4194303, started_at = '1'");
    expect(questions.closeLost(NOW).map(({ status }) => status)).toEqual(["closed"]);
  });
});
