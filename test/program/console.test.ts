import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAudit } from "../../src/core/store/audit.ts";
import { longTest } from "../support/tier.ts";
import { HAS_TMUX, openTerminal } from "../support/tmux.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ADJ, run } from "./adj.ts";
import { callTool, openClient } from "./mcp-client.ts";
import { makeSessionHome, type SessionHome } from "./session-home.ts";

const LINE = "› ask for something, / commands, @ files, ! shell";
const WIPE = `wipe:
  description: Pretend to remove everything
  argv: [echo, gone]
  safety: destructive
`;

const SHIP = `description: Plan it
start: plan
stages:
  plan: { prompt: "plan it", next: end }
`;

/** No turn runs. */
const IDLE = /^replay · ask$/m;

function open(home: SessionHome, ...words: string[]) {
  return openTerminal([ADJ, "console", ...words], { cwd: home.project, env: home.env });
}

const turnsOf = (home: SessionHome) => home.store.turns.list("mine", 10);
const MINE = ["--agent", "replay", "--session", "mine"] as const;

describe.skipIf(!HAS_TMUX)("in a terminal", () => {
  test("what is typed is sent, a tool is approved by a key, and its call opens", async () => {
    const home = makeSessionHome();
    const terminal = open(home, ...MINE);
    await terminal.shows(LINE);
    expect(terminal.screen()).toBe(`\n${LINE}\nreplay · ask`);
    terminal.type("please write a file");
    terminal.press("Enter");
    await terminal.shows("a yes, and from now on");
    await terminal.shows("waits for you");
    expect(terminal.screen()).toBe(
      [
        "",
        "› please write a file",
        "I will write notes.txt.",
        "◌ write notes.txt",
        "? replay wants to use `write`: `notes.txt` (it may change something)",
        "+please write a file",
        "  y yes · n no · w no, with words",
        "  a yes, and from now on edit or write `notes.txt`",
        "",
        "›",
        "replay · ask · waits for you",
      ].join("\n"),
    );
    terminal.type("y");
    await terminal.shows("I wrote notes.txt (20 bytes).");
    await terminal.shows(IDLE);
    expect(existsSync(join(home.project, "notes.txt"))).toBe(true);
    terminal.press("C-o");
    await terminal.shows("▾ write notes.txt");
    expect(terminal.screen()).toBe(
      [
        "",
        "› please write a file",
        "I will write notes.txt.",
        "? replay wants to use `write`: `notes.txt` (it may change something) – yes",
        "● write notes.txt",
        "I wrote notes.txt (20 bytes).",
        "",
        "This is the first prompt of our conversation. I answer from a script; no model",
        "was asked. Ask me to list, read, write, fix or delete a file, or to run a",
        "`command`: I ask before I do it.",
        "▾ write notes.txt",
        "  path: notes.txt",
        "  content: please write a file",
        "  wrote notes.txt (20 bytes)",
        "",
        LINE,
        "replay · ask",
      ].join("\n"),
    );
    terminal.press("C-d");
    expect(await terminal.ended()).toBe(0);
  });

  test("keys of a line count, too, where they come in one piece with what is typed", async () => {
    const terminal = open(makeSessionHome(), ...MINE);
    await terminal.shows(LINE);
    terminal.type("nonsense\u0015good evening\u0001\u000bgood morning");
    await terminal.shows("› good morning\n");
    terminal.press("Enter");
    await terminal.shows("You said “good morning”.");
    await terminal.shows(IDLE);
    terminal.press("C-d");
    expect(await terminal.ended()).toBe(0);
  });

  test("what is typed while the console is still starting is not written into its frame", async () => {
    const hook = join(import.meta.dirname, "fixtures", "stop-at-frame.mjs");
    const home = makeSessionHome({ NODE_OPTIONS: `--import=${hook}` });
    const terminal = open(home, ...MINE);
    await terminal.shows(LINE);
    terminal.type("hello");
    terminal.press("Enter");
    await terminal.shows("I ask before I do it.");
    await terminal.shows(IDLE);
    expect(terminal.screen()).toBe(
      [
        "",
        "› hello",
        "You said “hello”.",
        "",
        "This is the first prompt of our conversation. I answer from a script; no model",
        "was asked. Ask me to list, read, write, fix or delete a file, or to run a",
        "`command`: I ask before I do it.",
        "",
        LINE,
        "replay · ask",
      ].join("\n"),
    );
  });

  longTest(
    "a paste of several lines is one prompt, and the screen holds after it has become narrow",
    async () => {
      const home = makeSessionHome({ NO_COLOR: "1" });
      const terminal = open(home, ...MINE);
      await terminal.shows(LINE);
      terminal.paste("first line\nsecond line");
      await terminal.shows("  second line");
      expect(terminal.screen()).toBe("\n› first line\n  second line\nreplay · ask");
      expect(turnsOf(home)).toEqual([]);
      terminal.press("Enter");
      await terminal.shows("I ask before I do it.");
      await terminal.shows(IDLE);
      expect(turnsOf(home)[0]?.prompt).toBe("first line\nsecond line");
      terminal.resize(40, 24);
      await terminal.shows("@ fil…");
      await terminal.shows("I ask before I do it.");
      expect(terminal.screen()).toBe(
        [
          "",
          "› first line",
          "  second line",
          "You said “first line second line”.",
          "",
          "This is the first prompt of our",
          "conversation. I answer from a script; no",
          "model was asked. Ask me to list, read,",
          "write, fix or delete a file, or to run a",
          "`command`: I ask before I do it.",
          "",
          "› ask for something, / commands, @ fil…",
          "replay · ask",
        ].join("\n"),
      );
      terminal.resize(80, 24);
      await terminal.shows(LINE);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for.
      expect(terminal.styledScreen()).not.toMatch(/\u001b\[[0-9;]*m/);
    },
  );

  longTest(
    "the palette completes and runs nothing on the way, and a command stands apart",
    async () => {
      const home = makeSessionHome();
      home.write({ "config/commands.yaml": WIPE });
      const terminal = open(home, ...MINE);
      await terminal.shows(LINE);
      terminal.type("/mod");
      await terminal.shows("▸ mode   Show or set how this session approves tools");
      terminal.press("Enter");
      await terminal.shows(/› \/mode$/m);
      terminal.press("Tab");
      await terminal.shows("▸ ask");
      terminal.type("au");
      terminal.press("Tab", "Enter");
      await terminal.shows("│ pass");
      await terminal.shows(/^replay · auto$/m);
      expect(terminal.screen()).toBe(
        [
          "",
          "/mode auto",
          "│ mode is now auto (from this session): everything passes that the hooks let",
          "│ pass",
          "",
          LINE,
          "replay · auto",
        ].join("\n"),
      );
      expect(home.store.read("mine").mode).toBe("auto");
      terminal.type("!echo from the shell");
      terminal.press("Enter");
      await terminal.shows("│ from the shell");
      terminal.type("/wipe");
      await terminal.shows("▸ wipe  Pretend to remove everything");
      terminal.press("Enter");
      await terminal.shows("? run `wipe`? it is marked destructive");
      terminal.press("C-c");
      await terminal.shows("│ adj: `wipe` was cancelled");
      terminal.type("/wipe");
      terminal.press("Enter");
      await terminal.shows("  y yes · n no");
      terminal.type("y");
      await terminal.shows("│ gone");
    },
  );

  test("Ctrl-C cancels the turn and the next prompt is answered; twice leaves", async () => {
    const home = makeSessionHome();
    const terminal = open(home, ...MINE);
    await terminal.shows(LINE);
    terminal.type("run `sleep 600`");
    terminal.press("Enter");
    await terminal.shows("turn 1 runs");
    terminal.type("and then hello");
    terminal.press("Enter");
    await terminal.shows("queued: and then hello");
    terminal.press("C-c");
    await terminal.shows("– turn 1 was cancelled");
    await terminal.shows("You said “and then hello”.");
    await waitUntil(() => turnsOf(home)[1]?.status === "done");
    expect(turnsOf(home)[0]?.status).toBe("cancelled");
    await terminal.shows("Ctrl-C once more leaves");
    terminal.press("C-c");
    expect(await terminal.ended()).toBe(0);
  });

  longTest("who leaves can leave the turn to the host, and goes on with it later", async () => {
    const home = makeSessionHome();
    const terminal = open(home, ...MINE);
    await terminal.shows(LINE);
    terminal.type("please write a file");
    terminal.press("Enter");
    await terminal.shows("y yes");
    terminal.press("C-d");
    await terminal.shows("a turn still runs: l leaves it to the host");
    terminal.type("l");
    expect(await terminal.ended()).toBe(0);
    expect(turnsOf(home)[0]?.status).toBe("waiting");
    const later = open(home, "--continue");
    await later.shows("y yes");
    // What was said before it came.
    expect(later.screen()).toContain("› please write a file\nI will write notes.txt.\n");
    await home.adj("answer", await home.question(), "yes");
    await later.shows(/– yes,\s+in\s+shell/);
    await later.shows("I wrote notes.txt (20 bytes).");
  });

  longTest(
    "of two windows on one question one is killed, and the other decides; nothing else does",
    async () => {
      const home = makeSessionHome();
      const [first, second] = [open(home, ...MINE), open(home, "--session", "mine")];
      await Promise.all([first.shows(LINE), second.shows(LINE)]);
      first.type("please write a file");
      first.press("Enter");
      await Promise.all([first.shows("y yes"), second.shows("y yes")]);
      const question = await home.question();
      process.kill(first.pid(), "SIGKILL");
      const audit = openAudit(home.stateDir);
      audit.append({
        time: new Date().toISOString(),
        type: "InteractionAnswered",
        correlationId: turnsOf(home)[0]?.id ?? "",
        sessionId: "mine",
        origin: { surface: "console" },
        data: { question, kind: "approval", answer: "yes" },
      });
      audit.close();
      const place = { cwd: home.project, env: { ...home.env, CLAUDECODE: "1" } };
      expect((await run(ADJ, ["answer", question, "yes"], place)).exitCode).toBe(126);
      expect(home.store.questions.read(question)?.status).toBe("open");
      second.type("n");
      await second.shows("● write notes.txt – refused");
      const late = await home.adj("answer", question, "yes");
      expect([late.exitCode, late.stderr]).toEqual([2, expect.stringContaining("answered")]);
      await waitUntil(() => turnsOf(home)[0]?.status === "done");
      expect(existsSync(join(home.project, "notes.txt"))).toBe(false);
    },
  );

  longTest(
    "a host that is killed is replaced, its turn has failed and its question is over",
    async () => {
      const home = makeSessionHome();
      const terminal = open(home, ...MINE);
      await terminal.shows(LINE);
      terminal.type("please write a file");
      terminal.press("Enter");
      await terminal.shows("y yes");
      process.kill(home.hostPid(), "SIGKILL");
      await terminal.shows("✗ turn 1 failed: the process that ran it has ended");
      await terminal.shows(/no\s+longer\s+needed/);
      terminal.type("still there?");
      terminal.press("Enter");
      await terminal.shows("You said “still there?”.");
    },
  );

  longTest("what an MCP client wants to do is asked here, in its project alone", async () => {
    const home = makeSessionHome();
    home.write({
      "config/commands.yaml":
        'wipe: { description: Wipe it, shell: sh, command: "echo x >>wiped", safety: destructive }\n',
      "elsewhere/.adjutant/config.yaml": "{}\n",
    });
    const wiped = join(home.project, "wiped");
    const terminal = open(home, ...MINE);
    const cwd = join(home.folder, "elsewhere");
    const other = openTerminal([ADJ, "console", ...MINE], { cwd, env: home.env });
    await Promise.all([terminal.shows(LINE), other.shows(LINE)]);
    const client = await openClient(home);
    const { run_id } = await callTool(client, "wipe", { background: true });
    await terminal.shows("? test-client called `wipe`: run `wipe`? it is marked destructive");
    await terminal.shows("y yes · n no");
    expect(other.screen()).not.toContain("wipe");
    expect(existsSync(wiped)).toBe(false);
    terminal.type("n");
    expect(await callTool(client, "adj_wait", { run_id })).toMatchObject({ exit_code: 126 });
    expect(existsSync(wiped)).toBe(false);
    const again = await callTool(client, "wipe", { background: true });
    await terminal.shows("y yes · n no");
    terminal.type("y");
    expect(await callTool(client, "adj_wait", { run_id: again.run_id })).toMatchObject({
      ...{ status: "done", exit_code: 0 },
    });
    expect(readFileSync(wiped, "utf8")).toBe("x\n");
  });

  test("an agent's terminal is told why it has no console", async () => {
    const home = makeSessionHome({ CLAUDECODE: "1" });
    const terminal = open(home, ...MINE);
    await terminal.shows("adj: this terminal may be an agent's");
    terminal.type("hello");
    terminal.press("Enter");
    await terminal.shows("You said “hello”.");
  });

  longTest("a workflow is attached from the start, and its stage is told", async () => {
    const home = makeSessionHome();
    home.write({ "config/workflows/ship.yaml": SHIP });
    const terminal = open(home, ...MINE, "--workflow", "ship");
    await terminal.shows("Its calls run");
    terminal.type("y");
    await terminal.shows("replay · ask · ship: plan");
    expect(home.store.stages.read("mine")).toMatchObject({ workflow: "ship", stage: "plan" });
    terminal.type("/workflow detach");
    terminal.press("Enter");
    await terminal.shows(IDLE);
  });

  longTest("a window that is closed ends nothing", async () => {
    const home = makeSessionHome();
    const terminal = open(home, ...MINE);
    await terminal.shows(LINE);
    terminal.type("please write a file");
    terminal.press("Enter");
    await terminal.shows("y yes");
    terminal.close();
    await home.adj("answer", await home.question(), "yes");
    await waitUntil(() => turnsOf(home)[0]?.status === "done");
  });
});
