import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { longTest } from "../support/tier.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ADJ, run, start } from "./adj.ts";
import { makeSessionHome, type SessionHome } from "./session-home.ts";

const FIRST =
  "This is the first prompt of our conversation. I answer from a script; no model was asked." +
  " Ask me to list, read, write, fix or delete a file, or to run a `command`: I ask before I do it.\n";

/** Pipes lines into the console; `null` leaves its input open. */
const talk = (home: SessionHome, lines: readonly string[] | null, ...words: string[]) =>
  start(ADJ, ["console", ...words], {
    cwd: home.project,
    env: home.env,
    stdin: lines === null ? null : lines.map((line) => `${line}\n`).join(""),
  });

test("each line of a pipe is a prompt or a command, and what comes of it is printed in order", async () => {
  const home = makeSessionHome();
  const lines = ["my name is Ada", "", "/model", "/etc/hosts is a file"];
  const printed = await talk(home, lines, "--agent", "replay").ended;
  expect(printed).toEqual({
    exitCode: 0,
    signal: null,
    stderr: "",
    stdout:
      `You said “my name is Ada”.\n\n${FIRST}` +
      "no model is chosen: the agent's own default counts\n" +
      "You said “/etc/hosts is a file”.\n\nThis is prompt 2 of our conversation, which began with" +
      " “my name is Ada”. I answer from a script; no model was asked.\n",
  });
});

test("a console begins a new session, and `--continue` goes on with the last one", async () => {
  const home = makeSessionHome();
  await talk(home, ["I am Ada"], "--agent", "replay").ended;
  const other = await talk(home, ["I am Bob"], "--agent", "replay").ended;
  expect(other.stdout).toContain("This is the first prompt");
  const more = await talk(home, ["who am I?"], "--continue").ended;
  expect(more.stdout).toContain(
    "This is prompt 2 of our conversation, which began with “I am Bob”",
  );
  expect(home.store.turns.count(home.sessionId)).toBe(0);
});

test("`--session` names one, as does the program's own flag, and both are the same", async () => {
  const home = makeSessionHome();
  await talk(home, ["I am Ada"], "--agent", "replay", "--session", "mine").ended;
  const place = { cwd: home.project, env: home.env, stdin: "again\n" };
  const again = await run(ADJ, ["--session", "mine", "console"], place);
  expect(again.stdout).toContain("prompt 2 of our conversation, which began with “I am Ada”");
});

test("there is nothing to go on with in a project where nothing was said", async () => {
  const home = makeSessionHome();
  expect(await talk(home, ["hello"], "--continue").ended).toEqual({
    exitCode: 2,
    signal: null,
    stdout: "",
    stderr:
      "adj: this project: no session of it has a turn to go on from; leave `--continue` out\n",
  });
});

test("the first line that fails gives the exit code, and the lines behind it are taken all the same", async () => {
  const home = makeSessionHome();
  const lines = ["/nope", "/model --lout", "hello"];
  const { exitCode, stdout, stderr } = await talk(home, lines, "--agent", "replay").ended;
  expect(exitCode).toBe(127);
  expect(stdout).toBe(`You said “hello”.\n\n${FIRST}`);
  expect(stderr).toBe(
    "adj: unknown command `nope`; list all with `adj commands`\n" +
      "adj: unknown flag `--lout` of `model`; see `adj help model`\n",
  );
});

test("an agent that is not known is refused before anything is read", async () => {
  const home = makeSessionHome();
  const { exitCode, stdout, stderr } = await talk(home, ["hello"], "--agent", "replai").ended;
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain("unknown agent `replai`");
});

test("in a pipe a question waits for another window, and the next line for the turn", async () => {
  const home = makeSessionHome();
  const talking = talk(home, ["please write a file", "yes"], "--agent", "replay");
  const question = await home.question();
  await home.adj("answer", question, "yes");
  const { exitCode, stdout, stderr } = await talking.ended;
  expect(exitCode).toBe(0);
  expect(existsSync(join(home.project, "notes.txt"))).toBe(true);
  expect(stdout).toContain("You said “yes”");
  expect(stderr).toContain(`answer with \`adj answer ${question} yes|no\``);
  expect(stderr).toContain("answered in shell");
});

test("`--json` prints everything that happens, one object a line", async () => {
  const home = makeSessionHome();
  const { stdout } = await talk(home, ["hello", "/model"], "--agent", "replay", "--json").ended;
  const objects = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect([...new Set(objects.map(({ kind }) => kind))]).toEqual(["turn", "progress", "command"]);
  const turns = objects.filter(({ kind }) => kind === "turn");
  // A turn that runs is told of again when the agent's own id of the thread is known.
  expect([...new Set(turns.map(({ turn }) => turn.status))]).toEqual(["queued", "running", "done"]);
  expect(objects.at(-1)).toEqual({
    kind: "command",
    line: "/model",
    exitCode: 0,
    output: "no model is chosen: the agent's own default counts\n",
    errorOutput: "",
  });
});

test("a signal from the keyboard cancels the turn, and the console ends as cancelled", async () => {
  const home = makeSessionHome();
  const talking = talk(home, null, "--agent", "replay", "--session", "mine");
  talking.child.stdin.write("please write a file\n");
  await home.question();
  talking.child.kill("SIGINT");
  expect((await talking.ended).exitCode).toBe(130);
  await waitUntil(() => home.store.turns.list("mine", 1)[0]?.status === "cancelled");
});

test("without a host of its own the console is one", async () => {
  const home = makeSessionHome({ ADJ_HOST: "off" });
  const lines = ["hello", "/exit", "never sent"];
  const { exitCode, stdout } = await talk(home, lines, "--agent", "replay").ended;
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `You said “hello”.\n\n${FIRST}` });
  expect(existsSync(join(home.stateDir, "host"))).toBe(false);
});

const openDumb = (home: SessionHome, ...words: string[]) =>
  start("script", ["-qefc", [ADJ, "console", ...words].join(" "), "/dev/null"], {
    cwd: home.project,
    env: home.env,
    stdin: null,
  });

test("in a terminal that can do no more, the next line answers a question", async () => {
  const home = makeSessionHome({ TERM: "dumb" });
  const typing = openDumb(home, "--agent", "replay", "--session", "mine");
  await typing.printed("> ");
  typing.child.stdin.write("please write a file\n");
  await typing.printed("yes, session (and from now on");
  typing.child.stdin.write("no call it otherwise\n");
  await typing.printed("because I was told: the person said no: call it otherwise");
  typing.child.stdin.write("\u0004");
  expect((await typing.ended).exitCode).toBe(0);
  expect(existsSync(join(home.project, "notes.txt"))).toBe(false);
});

longTest(
  "there the question of a turn that runs already is asked first, and what was said before",
  async () => {
    const home = makeSessionHome({ TERM: "dumb" });
    await home.send("--detach", "please write a file");
    await home.question();
    const typing = openDumb(home, "--continue");
    await typing.printed("turn 1 still runs");
    await typing.printed("I will write notes.txt.");
    await typing.printed("yes, session (and from now on");
    typing.child.stdin.write("yes\n");
    await typing.printed("I wrote notes.txt");
    typing.child.stdin.write("\u0004");
    expect((await typing.ended).exitCode).toBe(0);
    expect(home.store.turns.list(home.sessionId, 10)).toHaveLength(1);
  },
);
