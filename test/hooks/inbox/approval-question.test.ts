import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/core/command/context.ts";
import {
  makeApprovalQuestion,
  readApprovalAnswer,
  showRule,
} from "../../../src/hooks/inbox/approval-question.ts";
import { shellSubject, toolSubject } from "../../core/shell/subjects.ts";

const ASKED = { sessionId: "s1", turnId: "t1", why: "it may change something" };

describe("a question", () => {
  test("says who wants what and why, and what a yes would remember", () => {
    const rule = { kind: "shell", command: ["npm test*"] };
    const question = makeApprovalQuestion({ ...ASKED, subject: shellSubject("npm test"), rule });
    expect(question).toEqual({
      sessionId: "s1",
      turnId: "t1",
      kind: "approval",
      text: "claude-code wants to use `Bash`: `npm test` (it may change something)",
      details: {
        agent: "claude-code",
        tool: "Bash",
        kind: "shell",
        why: "it may change something",
        args: { command: "npm test" },
        rule,
        ruleText: "`npm test*`",
      },
      choices: ["yes", "yes-session", "no", "no-with-words"],
      fallback: { decision: "no", words: "nobody answered" },
    });
  });

  test("offers no rule where there is none", () => {
    const question = makeApprovalQuestion({ ...ASKED, subject: shellSubject("$x"), rule: null });
    expect(question.choices).toEqual(["yes", "no", "no-with-words"]);
    expect(question.details).not.toHaveProperty("rule");
  });

  test("shows an edit as a diff, one of many too", () => {
    const edit = { old_string: "a\nb\n", new_string: "a\nc\n" };
    const of = (args: Record<string, unknown>) =>
      makeApprovalQuestion({
        ...ASKED,
        rule: null,
        subject: toolSubject({ tool: "Edit", kind: "edit", args }, { paths: ["x"] }),
      });
    expect(of(edit).text).toContain("`Edit`: `x`");
    expect(of(edit).details.diff).toContain("-b\n+c");
    expect(of({ edits: [edit, { oldString: "1", newString: "2" }] }).details.diff).toContain("-1");
    expect(of({ old: "1", new: "2" }).details.diff).toContain("-1");
    expect(of({ content: "x" }).details).not.toHaveProperty("diff");
  });

  test("shows what would be written", () => {
    const args = { path: "x", content: "one\ntwo\n" };
    const subject = toolSubject({ tool: "Write", kind: "write", args }, { paths: ["x"] });
    const { details } = makeApprovalQuestion({ ...ASKED, rule: null, subject });
    expect(details.diff).toBe("+one\n+two");
  });

  test.for<[JsonValue, string]>([
    ["git status*", "`git status*`"],
    [{ kind: "shell", command: ["a*", "b"], safety: ["read_only"] }, "`a*` and `b`"],
    [{ kind: ["edit", "write"], path: ["src/**"] }, "edit or write `src/**`"],
    [{ agent: "codex", tool: "view" }, "`view` of codex"],
    [{ kind: "edit", path: "src/**" }, '`{"kind":"edit","path":"src/**"}`'],
    [{ tool: "x", agent: "y", when: "z" }, '`{"tool":"x","agent":"y","when":"z"}`'],
  ])("reads the rule %j as a person does", ([rule, text]) => {
    expect(showRule(rule)).toBe(text);
  });

  test("keeps no secret and is cut", () => {
    const key = `sk-ant-api03-${"a1B2".repeat(24)}AA`;
    const args = {
      command: `curl -H 'x-api-key: ${key}'`,
      password: "hunter2hunter2",
      long: "x".repeat(9_000),
    };
    const subject = toolSubject({ tool: "Bash", kind: "shell", args }, { line: args.command });
    const text = JSON.stringify(makeApprovalQuestion({ ...ASKED, subject, rule: null }));
    expect(text).not.toContain(key);
    expect(text).not.toContain("hunter2hunter2");
    expect(text.length).toBeLessThan(5_000);
  });
});

test.each<[JsonValue, string, string | null]>([
  [{ decision: "yes" }, "yes", null],
  [{ decision: "session" }, "session", null],
  [{ decision: "no" }, "no", null],
  [{ decision: "no", words: " use make " }, "no", "use make"],
  [{ decision: "maybe" }, "no", null],
  ["yes", "yes", null],
  ["yes-session", "session", null],
  ["no", "no", null],
  ["use make instead", "no", "use make instead"],
  [true, "yes", null],
  [false, "no", null],
  [null, "no", null],
  [["yes"], "no", null],
])("the answer %j means %s", (answer, decision, words) => {
  expect(readApprovalAnswer(answer)).toEqual({ decision, words });
});
