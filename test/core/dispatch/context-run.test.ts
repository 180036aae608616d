import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CommandContext } from "../../../src/core/command/context.ts";
import { ok } from "../../../src/core/command/result.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { runProgram } from "./running-program.ts";
import type { Sending, TestCommand } from "./test-program.ts";

const ENV = { PATH: process.env.PATH, SECRET: "s3cret" };

/** What one call of `context.run` gives, or the outcome where it throws. */
async function call(
  act: (context: CommandContext) => Promise<unknown>,
  { sending = {}, definition = {} }: { sending?: Sending; definition?: TestCommand } = {},
) {
  const program = runProgram({
    act: { ...definition, run: async (_, context) => ok("", { given: await act(context) }) },
  });
  const outcome = await program.send("act", { env: ENV, ...sending });
  return { outcome, given: outcome.result.metadata?.given, root: realpathSync(program.stateDir) };
}

const sh = (line: string) => ["sh", "-c", line] as const;

describe("a program that a command runs", () => {
  test("gets its words as they are, in the project, and is told with all it printed", async () => {
    const { given, root } = await call(({ run }) =>
      run(["sh", "-c", 'pwd -P; echo "$1"; echo low >&2; exit 3', "sh", "$(echo a b)"]),
    );
    expect(given).toMatchObject({
      success: false,
      exitCode: 3,
      signal: null,
      stdout: `${root}\n$(echo a b)`,
      stderr: "low",
      truncated: false,
      durationMs: expect.any(Number),
    });
  });

  test("runs in a folder taken from the project, reads what it is given, and has the variables that were named", async () => {
    const { given, root } = await call(
      ({ root: folder, run }) => {
        mkdirSync(join(folder, "inner"));
        const line = 'cat; pwd -P; echo "$MORE,$NAMED,$SECRET"';
        return run(sh(line), { cwd: "inner", stdin: "in\n", env: { MORE: "m" } });
      },
      { sending: { env: { ...ENV, NAMED: "n" } }, definition: { env: ["NAMED"] } },
    );
    expect(given).toMatchObject({ success: true, stdout: `in\n${root}/inner\nm,n,` });
  });

  test("shows what it prints as it comes where that is wanted", async () => {
    const shown: string[] = [];
    const onOutput: Sending["onOutput"] = (chunk, channel) =>
      void shown.push(`${channel} ${Buffer.from(chunk).toString().trim()}`);
    await call(({ run }) => run(sh("echo silent")), { sending: { onOutput } });
    expect(shown).toEqual([]);
    await call(({ run }) => run(sh("echo out; echo err >&2"), { live: true }), {
      sending: { onOutput },
    });
    expect(shown.sort()).toEqual(["stderr err", "stdout out"]);
  });

  test("is ended after its own time, which is a result", async () => {
    const { given } = await call(({ run }) => run(sh("sleep 60"), { timeout: "50ms" }));
    expect(given).toMatchObject({ success: false, exitCode: 124 });
  });

  test("ends with the command, with all that it started", async () => {
    const file = join(temporaryFolder(), "pid");
    const controller = new AbortController();
    const running = call(
      ({ run }) => run(sh(`trap '' TERM; sleep 60 & echo $! > ${file}; wait; wait`)),
      { sending: { signal: controller.signal } },
    );
    await waitUntil(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
    controller.abort();
    expect((await running).outcome.kind).toBe("cancelled");
    const pid = Number(readFileSync(file, "utf8"));
    await waitUntil(() => !existsSync(`/proc/${pid}`));
  });

  // biome-ignore format: a table, one line each
  test.each<[what: string, act: (context: CommandContext) => Promise<unknown>, error: object]>([
    ["a program that is not there", ({ run }) => run(["no-such-program-x"]), { code: "SpawnFailed" }],
    ["no words", ({ run }) => run([] as never), { code: "InputInvalid" }],
    ["a line instead of words", ({ run }) => run("git status" as never), { code: "InputInvalid" }],
    ["a time that is none", ({ run }) => run(["true"], { timeout: "soon" }), { code: "InputInvalid" }],
  ])("%s is a fault", async (_, act, error) => {
    expect((await call(act)).outcome.error).toMatchObject(error);
  });
});
