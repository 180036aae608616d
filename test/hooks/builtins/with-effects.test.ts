// The builtins that count, run programs, or look into a repository.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProcess } from "../../../src/core/process/run.ts";
import { shellSubject, toolSubject } from "../../core/shell/subjects.ts";
import { removeFolder } from "../../support/temporary-folder.ts";
import { decideBy, placeIn } from "./place.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "adj-effects-")));
});
afterEach(() => removeFolder(folder));

const KEY = `ghp_${"a1B2".repeat(9)}`;

describe("rate-limit", () => {
  const at = (second: number) =>
    placeIn(folder, { now: new Date(1_700_000_000_000 + second * 1_000) });
  const pass = async (second: number, session = "s1", by = "session") =>
    decideBy("rate-limit", {
      with: { limit: 2, per: "10s", by },
      subject: toolSubject({ session_id: session }),
      place: at(second),
    });

  it("lets so many pass in so much time, and says when the next may", async () => {
    expect(await pass(0)).toEqual({});
    expect(await pass(4)).toEqual({});
    expect(await pass(5)).toEqual({
      control: "veto",
      reason: "the rule `guard` allows 2 in 10 s; the next one is free in 5 s",
    });
    expect(await pass(9)).toMatchObject({ control: "veto" });
    expect(await pass(10)).toEqual({});
    expect(await pass(11)).toMatchObject({ control: "veto" });
    expect(await pass(14)).toEqual({});
  });

  it("counts by session unless told otherwise", async () => {
    for (const session of ["a", "a", "b", "b"]) expect(await pass(0, session)).toEqual({});
    for (const session of ["c", "d"]) expect(await pass(0, session, "all")).toEqual({});
    expect(await pass(0, "e", "all")).toMatchObject({ control: "veto" });
  });

  it("counts over processes that ask at the same time", { timeout: 60_000 }, async () => {
    const module = new URL("../../../src/core/store/rate-counts.ts", import.meta.url).href;
    const code = `import { countCall } from ${JSON.stringify(module)};
      const request = { key: "k", limit: 25, windowMs: 60_000, now: 1_000 };
      let taken = 0;
      for (let i = 0; i < 20; i++) if (countCall(${JSON.stringify(folder)}, request).kind === "taken") taken++;
      console.log(taken);`;
    const env = { PATH: process.env.PATH ?? "" };
    const args = ["--input-type=module-typescript", "-e", code];
    const run = () => runProcess({ executable: process.execPath, args, env, cwd: folder });
    const endings = await Promise.all([run(), run(), run(), run()]);
    const counts = endings.map(({ stdout }) => Number(new TextDecoder().decode(stdout)));
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(25);
  });
});

describe("run-before-stop", () => {
  const stop = (argv: string[], more: object = {}, signal = new AbortController().signal) =>
    decideBy("run-before-stop", {
      with: { argv, ...more },
      subject: toolSubject({ step: "before_turn_end", cwd: folder }, { root: folder }),
      place: placeIn(folder, { signal }),
    });

  it("lets the turn end when the program ends well", async () => {
    expect(await stop(["true"])).toEqual({});
  });
  it("has the agent go on with the end of the output otherwise", async () => {
    const script = `for i in $(seq 3000); do echo line $i; done; echo ${KEY} >&2; exit 3`;
    const verdict = await stop(["sh", "-c", script]);
    expect(verdict.control).toBe("continue");
    expect(verdict.reason).toMatch(/must succeed before you stop: it ended with exit code 3\n/);
    expect(verdict.reason).toContain("line 3000");
    expect(verdict.reason).not.toContain("line 5\n");
    expect(verdict.reason).toContain("[secret]");
    expect(verdict.reason).not.toContain(`${KEY} `);
    expect(verdict.reason?.length).toBeLessThan(5_000);
  });
  it("runs in the project, or in a folder of it", async () => {
    mkdirSync(join(folder, "inner"));
    expect(await stop(["sh", "-c", `test "$PWD" = "${folder}"`])).toEqual({});
    expect(await stop(["sh", "-c", `test "$PWD" = "${folder}/inner"`], { cwd: "inner" })).toEqual(
      {},
    );
  });
  it("a program that takes too long has not succeeded", async () => {
    const verdict = await stop(["sleep", "60"], { timeout: "100ms" });
    expect(verdict).toMatchObject({ control: "continue" });
    expect(verdict.reason).toContain("did not end in time");
  });
  it("one that cannot be started, or is cancelled, is an error of the handler", async () => {
    await expect(stop(["no-such-program"])).rejects.toThrow("could not be started");
    await expect(stop(["sleep", "60"], {}, AbortSignal.timeout(100))).rejects.toThrow("cancelled");
  });
});

describe("no-secrets", () => {
  const git = async (...args: string[]) => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.test"];
    const { env } = placeIn(folder);
    const spec = { executable: "git", args: [...identity, ...args], env, cwd: folder };
    expect((await runProcess(spec)).exitCode).toBe(0);
  };
  const where = async (subject: ReturnType<typeof shellSubject>, options: object = {}) => {
    const deciding = { with: options, subject, place: placeIn(folder) };
    const { control, reason } = await decideBy("no-secrets", deciding);
    expect(reason ?? "").not.toContain(KEY);
    return control === "veto" ? reason : null;
  };
  const commit = (line: string) => shellSubject(line, { root: folder });
  beforeEach(async () => {
    await git("init", "-q");
    writeFileSync(join(folder, "known"), "one\n");
    await git("add", "known");
    await git("commit", "-q", "-m", "first");
  });

  it("in what a tool writes", async () => {
    const writing = toolSubject({ kind: "write", args: { file: "a", content: `x ${KEY}` } });
    expect(await where(writing)).toContain("there is a secret in what is written");
    expect(await where(toolSubject({ kind: "write", args: { content: "x" } }))).toBeNull();
    expect(await where(toolSubject({ kind: "read", args: { file: KEY } }))).toBeNull();
  });
  it("in a shell line", async () => {
    expect(await where(commit(`echo ${KEY} > f`))).toContain("in the line");
  });
  it("in what is staged, when it is committed", async () => {
    writeFileSync(join(folder, "known"), `${KEY}\n`);
    await git("add", "known");
    expect(await where(commit("git status"))).toBeNull();
    expect(await where(commit("cd . && git commit -m x"))).toContain("in what is staged");
    expect(await where(commit("git commit -m x"), { commits: false })).toBeNull();
    expect(await where(shellSubject(`git -C ${folder} commit -m x`))).toContain("staged");
  });
  it("in what is changed, when all of it is committed", async () => {
    writeFileSync(join(folder, "known"), `${KEY}\n`);
    expect(await where(commit("git commit -am x"))).toContain("in what is changed");
    expect(await where(commit("git add . && git commit -m x"))).toContain("in what is changed");
  });
  it("in new files that the line itself adds", async () => {
    writeFileSync(join(folder, "new"), `${KEY}\n`);
    expect(await where(commit("git commit -m x"))).toBeNull();
    expect(await where(commit("git add -A && git commit -m x"))).toContain("in `new`");
  });
  it("and starts no program that the repository names", async () => {
    const ran = join(folder, "ran");
    const programs = {
      "filter.x.clean": "cat",
      "diff.x.textconv": "cat",
      "core.fsmonitor": "false",
    };
    for (const [name, end] of Object.entries(programs))
      await git("config", name, `touch ${ran};${end}`);
    writeFileSync(join(folder, ".gitattributes"), "* filter=x diff=x\n");
    writeFileSync(join(folder, "known"), `${KEY}\n`);
    expect(await where(commit("git add -A && git commit -m x"))).toContain("there is a secret");
    expect(existsSync(ran)).toBe(false);
    // The canary is a good one: git itself starts them.
    await git("add", "known");
    expect(existsSync(ran)).toBe(true);
  });
  it("a secret that a commit takes out again does not stop it", async () => {
    writeFileSync(join(folder, "known"), `${KEY}\n`);
    await git("commit", "-qam", "leak");
    writeFileSync(join(folder, "known"), "clean\n");
    expect(await where(commit("git commit -am 'take it out'"))).toBeNull();
  });
});
