import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { StoredEvent } from "../../../src/core/command/event.ts";
import { approveProject } from "../../../src/core/project/trust/approval.ts";
import { createAdjutant } from "../../../src/program.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";

const COMMANDS = `say:
  description: Prints its words
  argv: [printf, "%s|"]
lose:
  description: Fails
  shell: sh
  command: echo lost >&2; exit 3
`;

/** An Adjutant whose user has these hooks, and these two commands. */
async function openWith(hooks: string | null, files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  writeFiles(folder, {
    "project/.git/HEAD": "",
    "config/commands.yaml": COMMANDS,
    ...(hooks === null ? {} : { "config/hooks.yaml": hooks }),
    ...files,
  });
  const root = join(folder, "project");
  const stateDir = join(folder, "state");
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ADJ_STATE_DIR: stateDir,
    ADJ_CONFIG_DIR: join(folder, "config"),
  };
  const adjutant = await createAdjutant({ cwd: root, env });
  onTestFinished(() => adjutant.close());
  const events: StoredEvent[] = [];
  adjutant.events.subscribe((event) => events.push(event));
  const send = async (line: string) => {
    const { kind, error, result, correlationId } = await adjutant.dispatch({ line });
    return {
      ended: [kind, error === undefined ? "" : `${error.class}/${error.code}`, result.exitCode]
        .filter((part) => part !== "")
        .join(" "),
      output: Buffer.from(result.output).toString(),
      errorOutput: result.errorOutput === null ? null : Buffer.from(result.errorOutput).toString(),
      correlationId,
    };
  };
  return { adjutant, events, folder, root, stateDir, send };
}

const hook = (on: string, command: string, rest = ""): string =>
  `hooks:\n  - name: guard\n    on: ${on}\n    run:\n      shell: sh\n      command: |\n        ${command}\n${rest}`;

describe("before a command", () => {
  test("without a hooks file nothing of hooks is made", async () => {
    const { send, stateDir } = await openWith(null);
    expect(await send("say a")).toMatchObject({ ended: "ok 0", output: "a|" });
    expect(existsSync(join(stateDir, "hooks"))).toBe(false);
  });

  test("one that is cancelled while a guard looks at it is recorded as cancelled, by nobody", async () => {
    const { adjutant, events, folder } = await openWith(
      hook("before_command", "touch ../looking; exec sleep 100"),
    );
    const stop = new AbortController();
    const sent = adjutant.dispatch({ line: "say a", signal: stop.signal });
    await waitUntil(() => existsSync(join(folder, "looking")));
    stop.abort();
    expect((await sent).kind).toBe("cancelled");
    const decided = events.filter(({ type }) => type === "StepDecided");
    expect(decided.map(({ data }) => data.decision)).toEqual(["cancelled"]);
  });

  test("a veto rejects it with the reason, and is on record", async () => {
    const { send, events } = await openWith(hook("before_command", "echo not today >&2; exit 2"));
    const { correlationId, ...seen } = await send("say a");
    expect(seen).toEqual({
      ended: "rejected Hook/Vetoed 126",
      output: "",
      errorOutput: "not today",
    });
    expect(events.map(({ type }) => type)).toEqual([
      "CommandDispatched",
      "StepDecided",
      "CommandResulted",
    ]);
    expect(events[1]).toMatchObject({
      correlationId,
      origin: { surface: "library" },
      data: {
        name: "say",
        step: "before_command",
        agent: "adjutant",
        decision: "veto",
        handler: "guard",
        reason: "not today",
        args: { _: "array(1)" },
      },
    });
  });

  test("the handler is told of the command as of any other step", async () => {
    const { send, folder } = await openWith(hook("before_command", 'cat > "$HOME/seen"'));
    const { correlationId } = await send("say 'a b' c");
    expect(JSON.parse(readFileSync(join(folder, "seen"), "utf8"))).toMatchObject({
      protocol: 1,
      step: "before_command",
      agent: "adjutant",
      cwd: join(folder, "project"),
      session_id: `project:${join(folder, "project")}`,
      correlation_id: correlationId,
      command: "say",
      args: { _: ["a b", "c"] },
      native: { line: "say 'a b' c", surface: "library" },
    });
  });

  test("rewritten arguments are what runs, and what the next rule is matched on", async () => {
    const { send } = await openWith(`hooks:
  - name: rewrite
    on: before_command
    match: { command: "say one*" }
    run: { shell: sh, command: "echo '{\\"args\\":{\\"_\\":[\\"two words\\",\\"more\\"]}}'" }
  - name: guard
    on: before_command
    match: { command: "say forbidden*" }
    run: { shell: sh, command: "exit 2" }
  - name: rewrite-again
    on: before_command
    match: { command: "say trap" }
    run: { shell: sh, command: "echo '{\\"args\\":{\\"_\\":[\\"sprung\\"]}}'" }
  - name: last
    on: before_command
    match: { command: "say sprung" }
    run: { shell: sh, command: "echo seen >&2; exit 2" }
`);
    expect(await send("say one")).toMatchObject({ ended: "ok 0", output: "two words|more|" });
    expect(await send("say other")).toMatchObject({ ended: "ok 0", output: "other|" });
    expect(await send("say forbidden")).toMatchObject({ ended: "rejected Hook/Vetoed 126" });
    expect(await send("say trap")).toMatchObject({ errorOutput: "seen" });
  });

  test.each([
    ["{ result: text }", "ok 0", "text", null],
    ["{ result: { output: out, error_output: err, exit_code: 7 } }", "failed 7", "out", "err"],
  ])("an answer %s stands for the command", async (answer, ended, output, errorOutput) => {
    const json = answer.replaceAll(/([a-z_]+)/g, '"$1"');
    const { send } = await openWith(hook("before_command", `echo '${json}'`));
    expect(await send("lose")).toMatchObject({ ended, output, errorOutput });
  });

  test("a project's guard counts when it is trusted, with or without its folder", async () => {
    const it = await openWith(null, {
      "project/.adjutant/hooks.yaml": hook("before_command", "exit 2"),
    });
    expect(await it.send("say a")).toMatchObject({ ended: "ok 0" });
    await approveProject(it.root, it.stateDir);
    expect(await it.send("say a")).toMatchObject({ errorOutput: "vetoed by `guard`" });
    rmSync(join(it.root, ".adjutant"), { recursive: true });
    expect(await it.send("say a")).toMatchObject({ errorOutput: "vetoed by `guard`" });
  });
});

describe("after a command", () => {
  test("the reason is added to what it said, and the outcome stays", async () => {
    const { send, folder } = await openWith(
      hook("after_command", 'cat > "$HOME/seen"; echo think again >&2; exit 2'),
    );
    expect(await send("lose")).toMatchObject({
      ended: "failed 3",
      errorOutput: "lost\n\nthink again",
    });
    expect(JSON.parse(readFileSync(join(folder, "seen"), "utf8"))).toMatchObject({
      step: "after_command",
      outcome: { kind: "failed", exit_code: 3 },
    });
    expect(await send("say a")).toMatchObject({ ended: "ok 0", errorOutput: "think again" });
  });

  test("a handler that nobody waits for is through before the end, and on record", async () => {
    const { adjutant, events, folder, send } = await openWith(
      hook("after_command", 'cat > /dev/null; : > "$HOME/seen"', "    async: true\n"),
    );
    await send("say a");
    await adjutant.close();
    expect(existsSync(join(folder, "seen"))).toBe(true);
    expect(events.at(-1)).toMatchObject({
      type: "StepDecided",
      data: { handler: "guard", handlers: [{ rule: "guard", did: "observed" }] },
    });
  });
});

describe("what is broken can be repaired", () => {
  test("a guard that fails blocks commands, but not those that help", async () => {
    const { send } = await openWith(hook("before_command", "exit 1"));
    expect(await send("say a")).toMatchObject({
      ended: "rejected Hook/Vetoed 126",
      errorOutput: "the hook `guard` failed: it ended with exit code 1",
    });
    for (const line of ["config", "log", "trust --list", "help"])
      expect([line, (await send(line)).ended]).toEqual([line, "ok 0"]);
  });

  test("a guard's veto counts for these, too", async () => {
    const { send } = await openWith(hook("before_command", "exit 2"));
    expect(await send("log")).toMatchObject({ ended: "rejected Hook/Vetoed 126" });
  });

  test("a hooks file that does not parse blocks no command", async () => {
    const { send } = await openWith("hooks: [");
    expect(await send("say a")).toMatchObject({ ended: "ok 0", output: "a|" });
  });
});
