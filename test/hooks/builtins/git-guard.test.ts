import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProcess } from "../../../src/core/process/run.ts";
import type { Verdict } from "../../../src/core/step/verdict.ts";
import { shellSubject } from "../../core/shell/subjects.ts";
import { removeFolder } from "../../support/temporary-folder.ts";
import { decideBy, placeIn } from "./place.ts";

let folder: string;
let repository: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "adj-git-"));
  repository = join(folder, "repository");
  mkdirSync(repository);
  await git("init", "-q", "-b", "release/1");
  await git("config", "user.email", "a@example.org");
  await git("config", "user.name", "a");
  mkdirSync(join(repository, "src"));
  writeFileSync(join(repository, "src/a"), "one");
  await git("add", ".");
  await git("commit", "-qm", "first");
  await git("branch", "side");
  writeFileSync(join(repository, "src/a"), "kept");
  await git("stash");
  writeFileSync(join(repository, "src/a"), "two");
  await git("config", "alias.undo", "reset --hard HEAD~1");
  await git("config", "alias.yolo", "!git add . && git push --force");
  await git("config", "alias.st", "status");
  await git("config", "alias.loop", "loop");
});
afterAll(() => removeFolder(folder));

async function git(...args: string[]): Promise<void> {
  const { env } = placeIn(folder);
  const ending = await runProcess({ executable: "git", args, env, cwd: repository });
  expect(ending.exitCode).toBe(0);
}

const ask = (line: string, options: unknown = {}): Promise<Verdict> =>
  decideBy("git", {
    with: options,
    subject: shellSubject(line, { root: repository }),
    place: placeIn(folder),
  });

describe("what loses work is refused unless it is left out of the list", () => {
  it.each<[string, string]>([
    ["force-push", "git push --force"],
    ["force-push", "git push origin +main"],
    ["force-with-lease", "git push --force-with-lease"],
    ["force-with-lease", "git push --force-with-lease=main:abc origin main"],
    ["mirror", "git push --mirror"],
    ["delete-remote", "git push --delete origin x"],
    ["delete-remote", "git push origin :x"],
    ["reset-hard", "git reset --hard HEAD~3"],
    ["clean", "git clean -fdx"],
    ["branch-delete", "git branch -M x side"],
    ["branch-delete", "git update-ref -d refs/heads/side"],
    ["discard", "git checkout -- ."],
    ["discard", "git restore src"],
    ["stash-drop", "git stash drop"],
    ["rewrite-history", "git filter-branch --all"],
    ["no-verify", "git commit --no-verify -m x"],
    ["no-verify", "git push --no-verify"],
  ])("%s: %s", async (kind, line) => {
    expect(await ask(line, { forbid: [kind] })).toMatchObject({ control: "veto" });
    expect(await ask(line, { forbid: [] })).toEqual({});
  });
});

it("the refusal names the rule, the harm and the command", async () => {
  expect(await ask("cd x && sudo git push -f", { reason: "ask Ann" })).toEqual({
    control: "veto",
    reason: "`guard`: a forced push overwrites what others pushed (`git push -f`); ask Ann",
  });
});

describe("what cannot be read is asked about, unless the options say otherwise", () => {
  it.each<[unknown, Verdict]>([
    [{}, { permission: "ask" }],
    [{ unsure: "deny" }, { control: "veto" }],
    [{ forbid: ["force-push", "hidden"] }, { control: "veto" }],
  ])("%j", async (options, verdict) => {
    expect(await ask("git push $X", options)).toMatchObject(verdict);
  });
  it("or lets it pass, or forbids nothing", async () => {
    expect(await ask("git push $X", { unsure: "pass" })).toEqual({});
  });
  it("where a step has nobody to ask it is refused", async () => {
    const subject = shellSubject("git push $X", { root: repository });
    const envelope = { ...subject.envelope, step: "before_command" as const };
    const place = placeIn(folder);
    expect(await decideBy("git", { subject: { ...subject, envelope }, place })).toMatchObject({
      control: "veto",
    });
  });
});

it("a person may be asked instead", async () => {
  expect(await ask("git push -f", { action: "ask" })).toMatchObject({ permission: "ask" });
});

describe("git's own aliases are followed", () => {
  it.each(["git undo", "git yolo", "git loop", `git -C . undo`])("%s", async (line) => {
    expect(await ask(line, { unsure: "deny" })).toMatchObject({ control: "veto" });
  });
  it("to where they do no harm, too", async () => {
    expect(await ask("git st")).toEqual({});
  });
});

describe("a protected branch is not pushed to", () => {
  const options = { protected_branches: ["main", "release/*"] };
  it.each([
    "git push origin main",
    "git push origin HEAD:main",
    "git push origin x:refs/heads/main",
    "git push",
    "git push origin HEAD",
    "git push --all",
    "git push origin :main",
    "git push origin feature release/2",
    // The line itself may leave another branch checked out, or fail to.
    "git switch side; git push",
    "git checkout side | cat && git push origin HEAD",
    "git checkout -b fix side; git push",
    "git switch -c release/2 && git push -u origin HEAD",
    "git -C /tmp/x checkout side && git push",
    'git push -u origin "$(git branch --show-current)"',
    "b=$(git rev-parse --abbrev-ref HEAD); git push origin $b",
  ])("%s", async (line) => {
    expect(await ask(line, { ...options, forbid: [] })).toMatchObject({ control: "veto" });
  });
  it.each([
    "git push origin feature",
    "git push origin main:feature",
    "git fetch origin main",
    "git switch side && git push",
    "git checkout -b fix; git commit -qam 'for x; y' && git push -u origin HEAD",
    "git checkout -b fix side && git push -u origin $(git branch --show-current)",
  ])("but elsewhere: %s", async (line) => {
    expect(await ask(line, options)).toEqual({});
  });
  it("one that cannot be read is asked about", async () => {
    for (const line of ["git push origin $X", "git switch side && git switch $X && git push"])
      expect(await ask(line, options)).toMatchObject({ permission: "ask" });
  });
});

describe("commits that were made on no branch are not left behind", () => {
  beforeAll(async () => {
    await git("checkout", "-q", "--detach");
    await git("commit", "-q", "--allow-empty", "-m", "on no branch");
  });
  afterAll(() => git("checkout", "-q", "release/1"));

  it.each([
    ...["git checkout side", "git checkout -", "git switch side", "git checkout -b new side"],
    ...["git checkout HEAD~1", "git switch --detach side", "git rebase side release/1"],
    "git commit --allow-empty -m x && git checkout side",
  ])("%s", async (line) => {
    const { reason } = await ask(line, { forbid: ["branch-delete"] });
    expect(reason).toContain("`git branch NAME` keeps them");
  });
  it.each([
    ...["git checkout -b new", "git switch -c new", "git branch new && git checkout side"],
    ...["git checkout -b new; git checkout side", "git checkout src/a", "git commit -am x"],
    'cd "$PLACE" && git switch side',
  ])("but %s passes", async (line) => {
    expect(await ask(line, { forbid: ["branch-delete"] })).toEqual({});
  });
});

it.each([
  ["git checkout --detach && git commit -qam x && git checkout side", true],
  ["git checkout HEAD~0; git commit -qam x; git switch side", true],
  ["git commit -qam x && git checkout HEAD~1 && npm test; git checkout -", false],
  ["git checkout --detach && git commit -qam x && git branch keep && git checkout side", false],
])("nor are those of the line itself: %s", async (line, isAsked) => {
  const { reason } = await ask(line, { forbid: ["branch-delete"] });
  expect(reason?.includes("on no branch") ?? false).toBe(isAsked);
});

describe("a file that git ignores here is not overwritten by that of another branch", () => {
  beforeAll(async () => {
    const put = (text: string) => {
      mkdirSync(join(repository, "dist"), { recursive: true });
      for (const name of [".env", "dist/a.js"]) writeFileSync(join(repository, name), text);
    };
    await git("checkout", "-q", "-b", "built");
    put("theirs");
    await git("add", "-f", "dist/a.js");
    await git("commit", "-qm", "built");
    await git("checkout", "-q", "-b", "holding");
    await git("add", "-f", ".env");
    await git("commit", "-qm", "holding");
    await git("checkout", "-q", "release/1");
    put("mine");
    writeFileSync(join(repository, ".git/info/exclude"), ".env\ndist\n");
  });

  it.each([
    ...["git checkout holding", "git switch holding", "git checkout -b new holding"],
    ...["git merge --no-edit holding", "git rebase holding", "git cherry-pick holding"],
  ])("%s", async (line) => {
    expect((await ask(line, { forbid: ["discard"] })).reason).toContain("`holding` has files");
  });
  it.each(["git checkout built", "git merge built", "git switch side", "git checkout -b new"])(
    "but %s passes",
    async (line) => {
      expect(await ask(line, { forbid: ["discard"] })).toEqual({});
    },
  );
});

it("a line without git is none of its business, however it is written", async () => {
  expect(await ask('"$PYTHON" x.py')).toEqual({});
});
