import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/core/command/context.ts";
import { makeSubject } from "../../../src/hooks/match/step-subject.ts";
import { suggestRule } from "../../../src/session/approvals/remembered-rule.ts";
import { findAllowing, findPosture, readAllowRule } from "../../../src/session/approvals/rules.ts";
import { shellSubject, toolSubject } from "../../core/shell/subjects.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** With its safety, as the gate has it. */
const classified = (subject: ReturnType<typeof toolSubject>) =>
  makeSubject(
    {
      agent: { shellLine: () => subject.line, filePaths: () => subject.paths },
      root: subject.root,
      home: subject.home,
    },
    subject.envelope,
  );
const line = (text: string) => classified(shellSubject(text));

describe("a rule of the session", () => {
  test.each<[JsonValue, string, boolean]>([
    ["git status*", "git status -s", true],
    ["npm test*", "npm test && rm -rf x", false],
    ["npm test*", "npm test | tail -3", true],
    ["*", "$x", false],
    [{ kind: "edit", path: "src/**" }, "git status", false],
    [{ kind: "shell", safety: ["read_only"] }, "ls", true],
    [{ kind: "nonsense" }, "ls", false],
    [{}, "ls", false],
    [7, "ls", false],
  ])("%j for `%s`: %j", async (rule, text, isAllowed) => {
    expect((await findAllowing([rule], line(text))) !== null).toBe(isAllowed);
  });

  test("for files counts when every path leads where it says", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "src"));
    symlinkSync("/etc", join(root, "src/etc"));
    const edit = (...paths: string[]) =>
      toolSubject({ tool: "Edit", kind: "edit" }, { root, paths });
    const rules = [{ kind: "edit", path: "src/**" }];
    expect(await findAllowing(rules, edit("src/a"))).not.toBeNull();
    expect(await findAllowing(rules, edit("src/a", "src/b"))).not.toBeNull();
    expect(await findAllowing(rules, edit("src/a", "other"))).toBeNull();
    expect(await findAllowing(rules, edit("src/etc/passwd"))).toBeNull();
  });

  test("that cannot be read says why", async () => {
    expect(await readAllowRule({ comand: "x" })).toMatchObject({
      kind: "invalid",
      problem: expect.stringContaining("`comand`"),
    });
    expect(await readAllowRule({ kind: "edit", command: "x" })).toMatchObject({ kind: "invalid" });
  });
});

test("of a stage's rules the strictest that speaks of a call counts", () => {
  const rules = [
    { action: "allow", match: { kind: ["shell"] } },
    { action: "ask", match: { command: ["git *"] } },
    { action: "deny", match: { command: ["git push*"] } },
  ] as const;
  const posture = { stage: "stage plan", rules };
  const actionFor = (text: string) => findPosture(posture, line(text))?.action ?? null;
  expect(actionFor("ls")).toBe("allow");
  expect(actionFor("git commit")).toBe("ask");
  expect(actionFor("git -C . push")).toBe("deny");
  expect(findPosture(posture, toolSubject({ tool: "Edit", kind: "edit" }))).toBeNull();
  expect(findPosture(null, line("ls"))).toBeNull();
});

const SAFE = ["read_only", "network", "mutating"];

describe("the rule that would be remembered", () => {
  test.each<[string, JsonValue | null]>([
    ["npm test -- a", { kind: "shell", command: ["npm test*"], safety: SAFE }],
    ["cd x && npm test", { kind: "shell", command: ["npm test*"], safety: SAFE }],
    [
      "./run.sh *.ts",
      { kind: "shell", command: ["./run.sh \\*.ts", "run.sh \\*.ts"], safety: SAFE },
    ],
    [
      "rm -rf build",
      { kind: "shell", command: ["rm -rf build"], safety: [...SAFE, "destructive"] },
    ],
    ["cat ../x", { kind: "shell", command: ["cat ../x"], safety: ["read_only"] }],
    ["make $x", { kind: "shell", command: ["make $x"], safety: SAFE }],
    ["$x y", null],
    ["npm test > out.txt", null],
  ])("for `%s`", async (text, expected) => {
    expect(suggestRule(line(text))).toEqual(expected);
    // What is offered holds: the very same is not asked again.
    if (expected !== null) expect(await findAllowing([expected], line(text))).not.toBeNull();
  });

  test("lets the like of it pass and nothing more dangerous", async () => {
    const rule = suggestRule(line("git push origin main"));
    if (rule === null) throw new Error("no rule");
    expect(await findAllowing([rule], line("git push origin main"))).not.toBeNull();
    expect(await findAllowing([rule], line("git push --force origin main"))).toBeNull();
  });

  test("for a file is its folder inside the project, and itself elsewhere", () => {
    const edit = (path: string) =>
      suggestRule(toolSubject({ tool: "Edit", kind: "edit" }, { root: "/project", paths: [path] }));
    expect(edit("src/a/b.ts")).toEqual({ kind: ["edit", "write"], path: ["src/a/**"] });
    expect(edit("top.ts")).toEqual({ kind: ["edit", "write"], path: ["top.ts"] });
    expect(edit("/elsewhere/x")).toEqual({ kind: ["edit", "write"], path: ["/elsewhere/x"] });
  });

  test("for any other tool is that tool of that agent", () => {
    expect(suggestRule(toolSubject({ tool: "WebFetch", kind: "fetch" }))).toEqual({
      agent: "claude-code",
      tool: "WebFetch",
    });
  });
});
