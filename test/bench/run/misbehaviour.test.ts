import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLinesWith } from "../../core/process/programs.ts";
import { canMount, mountTmpfs } from "../../faults/tmpfs.ts";
import { run } from "../../program/adj.ts";
import { longTest } from "../../support/tier.ts";
import { makeBenchHome, readOutcome } from "./bench-home.ts";

const check = {
  run: { command: "sh check.sh", protect: ["check.sh"], score: "json", report: "verdict.json" },
};
/** Says what it finds; `answer.txt` is never right by itself. */
const CHECK = `if grep -q right answer.txt; then score=1; else score=0; fi
echo "{\\"score\\":$score}" > verdict.json
`;
const files = { "check.sh": CHECK, "answer.txt": "wrong\n" };
const cheat = (agent: string) => ({ agent, files, evaluators: [check, { diff: {} }] });

const DAEMON = `while :; do
  for folder in "$1"/*/; do
    echo '{"score":1}' > "$folder/verdict.json"
    echo right > "$folder/answer.txt"
    echo right > "$folder/grading/run-1/answer.txt"
    echo right > "$folder/snapshot/answer.txt"
  done
  sleep 0.01
done 2>/dev/null
`;

test("a cheating agent gains nothing, also without a sandbox", async () => {
  const home = makeBenchHome(
    {
      verdict: cheat("echo '{\"score\":1}' > verdict.json; echo done"),
      edits: cheat("echo 'echo {\\\"score\\\":1} > verdict.json' > check.sh; echo done"),
      commits: cheat(
        "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm all; echo done",
      ),
      base: cheat("echo right > ../base/answer.txt; echo done"),
      daemon: {
        ...cheat(
          'work=$(cd ../.. && pwd); env -i PATH="$PATH" setsid sh daemon.sh "$work" >/dev/null 2>&1 </dev/null & echo done',
        ),
        files: { ...files, "daemon.sh": DAEMON },
      },
      hidden: {
        ...cheat(
          'cp daemon.sh "$HOME/d.sh"; work=$(cd ../.. && pwd); cd /; env -i PATH="$PATH" setsid sh "$HOME/d.sh" "$work" >/dev/null 2>&1 </dev/null & echo done',
        ),
        files: { ...files, "daemon.sh": DAEMON },
      },
    },
    { limits: { concurrency: 1 }, sandbox: "none" },
  );
  const { results } = await home.bench("suite.yaml");
  expect(results.map(({ key, ending, score }) => [key, ending, score])).toEqual([
    ["verdict/shell/1", "failed", 0.5],
    ["edits/shell/1", "failed", 0.5],
    ["commits/shell/1", "failed", 0.5],
    ["base/shell/1", "failed", null],
    ["daemon/shell/1", "failed", 0.5],
    ["hidden/shell/1", "failed", 0.5],
  ]);
  expect(commandLinesWith(home.folder)).toEqual([]);
});

/** No trace leads to it: not its words, its environment, its folder or its files. It ends by itself. */
const LURKER = `echo $$ > "$(dirname "$0")/lurker.pid"
for i in $(seq 1000); do
  for folder in WORK/*/grading/*/; do echo right > "$folder/answer.txt"; done
  sleep 0.01
done 2>/dev/null
`;

test("a process that cannot be found is seen by what it does, and the trial is not counted", async () => {
  const agent =
    'sed "s|WORK|$(cd ../.. && pwd)|" lurker.sh > "$HOME/l.sh"; cd /; env -i PATH="$PATH" setsid sh "$HOME/l.sh" >/dev/null 2>&1 </dev/null & while [ ! -s "$HOME/lurker.pid" ]; do :; done; echo done';
  const home = makeBenchHome(
    { lurks: { ...cheat(agent), files: { ...files, "lurker.sh": LURKER } } },
    { sandbox: "none" },
  );
  const { result } = await home.bench("suite.yaml");
  process.kill(Number(readFileSync(join(home.folder, "lurker.pid"), "utf8")), "SIGKILL");
  expect(result("lurks")).toMatchObject({
    ending: "infra",
    reason:
      "something else than an evaluator wrote to `grading/answer.txt` before grading began: the agent left a process",
  });
});

test("a link to what an agent may not read is not read for it by those who grade", async () => {
  const link = (agent: string) => ({
    agent: `${agent}; echo done`,
    evaluators: [{ run: { command: "grep -q right answer.txt", files: "./hidden" } }],
  });
  const home = makeBenchHome(
    {
      solution: link('ln -s "$HOME/project/solved.txt" answer.txt'),
      folder: link('ln -s "$HOME/project" all; ln -s all/solved.txt answer.txt'),
      hidden: link("ln -s golden/right.txt answer.txt"),
      own: link("echo right > mine.txt; ln -s mine.txt answer.txt"),
    },
    { sandbox: "none" },
  );
  home.write({ "project/solved.txt": "right\n", "project/hidden/golden/right.txt": "right\n" });
  const { results } = await home.bench("suite.yaml");
  expect(results.map(({ caseId, ending }) => [caseId, ending])).toEqual([
    ["solution", "failed"],
    ["folder", "failed"],
    ["hidden", "failed"],
    ["own", "passed"],
  ]);
});

test("what an agent plants beside its workspace or above it is not found by those who grade", async () => {
  const plant = (folder: string) => ({
    agent: `mkdir -p ${folder}/node_modules/answer; echo > ${folder}/node_modules/answer/index.js; echo done`,
    evaluators: [{ run: "node -e 'require(\"answer\")'" }],
  });
  const ready = {
    agent:
      "mkdir -p ../snapshot ../grading/run-1; echo > ../snapshot/a; echo > ../grading/run-1/a; echo done",
    evaluators: [{ run: "test -e a" }],
  };
  const home = makeBenchHome(
    { beside: plant(".."), above: plant("../.."), ready },
    { sandbox: "none" },
  );
  const { results } = await home.bench("suite.yaml");
  expect(results.map(({ caseId, ending }) => [caseId, ending])).toEqual([
    ["beside", "failed"],
    ["above", "failed"],
    ["ready", "failed"],
  ]);
});

test("an agent that leaves what cannot be copied has failed, and stands in nobody's way", async () => {
  const deep =
    "for i in $(seq 30); do mkdir -p $(printf 'd%.0s' $(seq 200)) && cd d*; done; echo done";
  const home = makeBenchHome({
    deep: { agent: deep, evaluators: [{ run: "true" }] },
    odd: { agent: "touch $(printf 'a\\377b'); echo done", evaluators: [{ run: "true" }] },
  });
  const { results, stderr } = await home.bench("suite.yaml");
  expect(results.map(({ ending, reason }) => [ending, reason])).toEqual([
    ["failed", "what the agent left cannot be graded: its path is too long"],
    ["failed", "what the agent left cannot be graded: a name is not UTF-8"],
  ]);
  expect(stderr).not.toContain("note:");
  expect(readdirSync(join(home.stateDir, "bench", "work"))).toEqual([]);
});

longTest("what an agent leaves to be stumbled over is graded like any other work", async () => {
  const grades = [
    { run: { command: "sh tests/check.sh", protect: ["tests/**"] } },
    { diff: { forbid: ["tests"] } },
    { expected: { tree: "./want", only: ["answer.txt"] } },
  ];
  const leave = (agent: string) => ({
    agent,
    files: { "tests/check.sh": "grep -q right answer.txt\n", "answer.txt": "wrong\n" },
    evaluators: grades,
  });
  const home = makeBenchHome(
    {
      links: leave("ln -s /dev/zero zero; ln -s .. up; ln -s here here; echo done"),
      borrowed: leave('ln -sf "$HOME/project/want/answer.txt" answer.txt; echo done'),
      led: leave("rm -r tests; mkdir ../mine; echo true > ../mine/check.sh; ln -s ../mine tests"),
      hidden: leave("mkdir tests/.x; echo > tests/.x/y; echo done"),
      locked: leave("chmod 0 tests answer.txt; echo done"),
      crowded: leave("mkdir m; for i in $(seq 3000); do : > m/$i; done; echo done"),
    },
    { limits: { concurrency: 1 } },
  );
  home.write({ "project/want/answer.txt": "right\n" });
  const { results } = await home.bench("suite.yaml");
  const [checked, changed, near] = [0, 1, 2].map((at) =>
    Object.fromEntries(results.map(({ caseId, evaluations }) => [caseId, evaluations[at]?.status])),
  );
  const everywhere = (status: string) =>
    Object.fromEntries(results.map(({ caseId }) => [caseId, status]));
  expect(results.map(({ ending }) => ending)).toEqual(results.map(() => "failed"));
  // A link to what the suite compares with is taken out of what is graded.
  expect(checked).toEqual(everywhere("failed"));
  expect(changed).toEqual({ ...everywhere("passed"), led: "failed", hidden: "failed" });
  expect(near).toEqual(everywhere("failed"));
});

/** Whoever inherits orphans here may be slow to bury them. */
function isAlive(pid: string): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

test("work that was committed, and work without a repository, is compared with what was there", async () => {
  const commit = "git -c user.name=a -c user.email=a@b commit -qam mine";
  const diff = { diff: { max_files_changed: 1, require: ["file.txt"] } };
  const home = makeBenchHome({
    commits: { agent: `echo two > file.txt; ${commit}; echo done`, evaluators: [diff] },
    deletes: { agent: "echo two > file.txt; rm -rf .git; echo done", evaluators: [diff] },
  });
  const git = "git init -q -b main . && git add -A && git -c user.name=a -c user.email=a@b";
  for (const id of ["commits", "deletes"]) {
    home.write({ [`project/cases/${id}/file.txt`]: "one\n" });
    const cwd = join(home.project, "cases", id);
    const printed = await run("sh", ["-c", `${git} commit -qm base`], { cwd, env: home.env });
    expect(printed.exitCode).toBe(0);
  }
  const { results } = await home.bench("suite.yaml");
  expect(results.map(({ ending, reason }) => [ending, reason])).toEqual([
    ["passed", null],
    ["passed", null],
  ]);
  expect(results[0]?.evaluations[0]?.metrics).toMatchObject({ files: 1, added: 1, removed: 1 });
});

test("background processes do not live on, whatever they did to hide", async () => {
  const start = (how: string) => ({
    agent: `${how} sh -c 'echo $$ > "$HOME/${how.length}.pid"; exec sleep 300' </dev/null >/dev/null 2>&1 & while [ ! -s "$HOME/${how.length}.pid" ]; do :; done; echo done`,
    evaluators: [{ run: "true" }],
  });
  const home = makeBenchHome(
    {
      plain: start(""),
      session: start("setsid"),
      bare: start('env -i HOME="$HOME" PATH="$PATH" setsid'),
    },
    { sandbox: "none" },
  );
  const { results } = await home.bench("suite.yaml");
  expect(results.map(({ ending }) => ending)).toEqual(["passed", "passed", "passed"]);
  const pids = readdirSync(home.folder).filter((name) => name.endsWith(".pid"));
  expect(pids).toHaveLength(3);
  for (const name of pids) {
    const pid = readFileSync(join(home.folder, name), "utf8").trim();
    expect(isAlive(pid), name).toBe(false);
  }
});

test.runIf(canMount())("a full disk is that trial's misfortune alone", async () => {
  const home = makeBenchHome(
    {
      before: { agent: "echo hi", evaluators: [{ run: "true" }] },
      fills: {
        agent: "dd if=/dev/zero of=big bs=1M count=64 2>/dev/null; echo done",
        evaluators: [{ run: "true" }],
      },
      after: { agent: "echo hi", evaluators: [{ run: "true" }] },
    },
    { limits: { concurrency: 1 } },
  );
  const env = { ...home.env, ADJ_STATE_DIR: mountTmpfs("size=24m") };
  const { results } = readOutcome(await home.adjIn({ env }, "--json", "bench", "suite.yaml"));
  expect(results.map(({ caseId, ending }) => [caseId, ending])).toEqual([
    ["before", "passed"],
    ["fills", "infra"],
    ["after", "passed"],
  ]);
});

test("a trial leaves nothing, unless it is to be kept", async () => {
  const home = makeBenchHome({
    good: { agent: "echo two > file.txt", evaluators: [{ run: "test -e file.txt" }] },
    bad: { agent: "echo hi; mkfifo pipe; ln -s /nowhere link", evaluators: [{ run: "false" }] },
  });
  home.write({ "temporary/.keep": "" });
  const env = { ...home.env, TMPDIR: join(home.folder, "temporary") };
  await home.adjIn({ env }, "bench", "suite.yaml");
  expect(readdirSync(join(home.folder, "temporary"))).toEqual([".keep"]);
  expect(readdirSync(join(home.stateDir, "bench/work"))).toEqual([]);
  const { metadata } = readOutcome(
    await home.adjIn({ env }, "--json", "bench", "suite.yaml", "--fresh", "--keep", "failed"),
  );
  const kept = join(home.stateDir, "bench/kept", String(metadata.run).slice(0, 8));
  expect(readdirSync(kept)).toEqual(["bad_shell_1_1"]);
  expect(readdirSync(join(kept, "bad_shell_1_1", "workspace"))).toEqual([
    "agent.sh",
    "link",
    "pipe",
  ]);
  expect(readFileSync(join(kept, "bad_shell_1_1", "stdout"), "utf8")).toBe("hi\n");
});
