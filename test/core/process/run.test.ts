import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { shellExitCode } from "../../../src/core/process/command-spec.ts";
import { runProcess } from "../../../src/core/process/run.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { fixture, shell, textOf } from "./programs.ts";

const FIELDS = [
  "completedAt",
  "durationMs",
  "exitCode",
  "ioProblem",
  "kind",
  "pid",
  "signal",
  "startedAt",
  "stderr",
  "stdout",
  "survivors",
  "truncated",
];

describe("how a process ends", () => {
  it("an exit has the code, both outputs and the times", async () => {
    const ending = await runProcess(shell("echo out; echo err >&2; exit 3"));
    expect(ending).toMatchObject({ kind: "exited", exitCode: 3, signal: null, truncated: false });
    expect(textOf(ending.stdout)).toBe("out\n");
    expect(textOf(ending.stderr)).toBe("err\n");
    expect(ending.pid).toBeGreaterThan(1);
    const lasted = Date.parse(ending.completedAt) - Date.parse(ending.startedAt);
    expect(lasted).toBe(ending.durationMs);
    expect(ending.startedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each(["SIGKILL", "SIGSEGV", "SIGTERM"])("a death by %s is told from an exit", async (name) => {
    const ending = await runProcess(shell(`kill -${name.slice(3)} $$`));
    expect(ending).toMatchObject({ kind: "signalled", signal: name, exitCode: null });
  });

  it("every ending has the same fields", async () => {
    const missing = { ...shell(""), executable: "no-such-program" };
    const endings = [
      await runProcess(shell("exit 0")),
      await runProcess(shell("kill -9 $$")),
      await runProcess(shell("sleep 300"), { timeoutMs: 50 }),
      await runProcess(shell("sleep 300"), { signal: AbortSignal.timeout(50) }),
      await runProcess(shell("sleep 300"), { signal: AbortSignal.abort() }),
    ];
    for (const ending of endings) expect(Object.keys(ending).sort()).toEqual(FIELDS);
    const unstarted = Object.keys(await runProcess(missing)).sort();
    expect(unstarted).toEqual([...FIELDS, "code", "problem"].sort());
  });

  it("an abort before the start starts nothing", async () => {
    const folder = temporaryFolder();
    const spec = { ...shell("touch started"), cwd: folder };
    const ending = await runProcess(spec, { signal: AbortSignal.abort() });
    expect(ending).toMatchObject({ kind: "cancelled", pid: null, exitCode: null, signal: null });
    expect(await runProcess({ ...shell("ls"), cwd: folder })).toMatchObject({
      stdout: Buffer.alloc(0),
    });
  });

  it("an abort while it runs is a cancel, with the output so far", async () => {
    const controller = new AbortController();
    const ending = await runProcess(shell("echo ready; sleep 300"), {
      signal: controller.signal,
      timeoutMs: 60_000,
      onChunk: () => controller.abort(),
    });
    expect(ending).toMatchObject({ kind: "cancelled", signal: "SIGTERM", exitCode: null });
    expect(textOf(ending.stdout)).toBe("ready\n");
  });

  it("a timeout is a timeout even where the program then exits with 0", async () => {
    const spec = shell('trap "exit 0" TERM; echo ready; while :; do sleep 0.05; done');
    // Long enough to have set its trap, beside whatever else runs.
    const ending = await runProcess(spec, { timeoutMs: 2_000 });
    expect(ending).toMatchObject({ kind: "timed_out", exitCode: 0 });
    expect(textOf(ending.stdout)).toBe("ready\n");
  });

  it("a timeout longer than timers can be does not fire at once", async () => {
    const ending = await runProcess(shell("exit 5"), { timeoutMs: 2 ** 40 });
    expect(ending).toMatchObject({ kind: "exited", exitCode: 5 });
  });

  it("a failure of the consumer ends the program and is passed on", async () => {
    const folder = temporaryFolder();
    const run = runProcess(
      { ...shell("echo $$ > pid; echo hi; exec sleep 300"), cwd: folder },
      { onChunk: () => Promise.reject(new Error("the consumer broke")) },
    );
    await expect(run).rejects.toThrow("the consumer broke");
    const probe = await runProcess({ ...shell('kill -0 "$(cat pid)"'), cwd: folder });
    expect(probe).toMatchObject({ exitCode: 1 });
  });
});

describe("what cannot be started", () => {
  it("says which of program, folder and interpreter is missing", async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { plain: "text", script: "#!/no/such/interpreter\n" });
    chmodSync(join(folder, "script"), 0o755);
    const spec = { ...shell("exit 0"), cwd: folder };
    const cases = [
      [{ executable: "no-such-program" }, "ENOENT", "there is no such program on PATH"],
      [{ executable: "./no-such-file" }, "ENOENT", "there is no such file"],
      [{ executable: "./plain" }, "EACCES", `\`${folder}/plain\` is not an executable file`],
      [{ executable: folder }, "EACCES", "it is not an executable file"],
      [
        { executable: "./script" },
        "ENOENT",
        "its interpreter `/no/such/interpreter` cannot be run",
      ],
      [{ cwd: "/no/such" }, "ENOENT", "the working directory `/no/such` does not exist"],
      [
        { cwd: join(folder, "plain") },
        "ENOTDIR",
        `the working directory \`${folder}/plain\` is not a folder`,
      ],
      [{ cwd: "." }, "EINVAL", "the working directory `.` is not an absolute path"],
      [{ cwd: "" }, "EINVAL", "the working directory `` is not an absolute path"],
      [
        { args: ["x".repeat(131_072)] },
        "E2BIG",
        "the arguments and the environment are longer than the system allows",
      ],
    ] as const;
    for (const [change, code, problem] of cases) {
      const ending = await runProcess({ ...spec, ...change });
      expect(ending).toMatchObject({ kind: "not_started", code, problem, pid: null });
    }
  });

  it("does not repeat a value with a NUL, which may be a secret", async () => {
    const spec = { ...shell("exit 0"), env: { TOKEN: "secret\0value" } };
    const ending = await runProcess(spec);
    expect(ending).toMatchObject({ kind: "not_started", code: "EINVAL" });
    expect(JSON.stringify(ending)).not.toContain("secret");
  });
});

describe("what a child is given", () => {
  it("has exactly the environment of its spec, and the id of its run", async () => {
    const env = { PATH: process.env.PATH ?? "", "a.b": "x=y", EMPTY: "" };
    const spec = { executable: "env", args: ["-0"], env, cwd: "/" };
    const ending = await runProcess(spec, { runId: "run-1" });
    const variables = textOf(ending.stdout).split("\0").filter(Boolean).sort();
    const given = { ...env, ADJ_RUN_ID: "run-1" };
    expect(variables).toEqual(
      Object.entries(given)
        .map(([name, value]) => `${name}=${value}`)
        .sort(),
    );
  });

  it("inside another run the id is a path, so that the outer run finds it", async () => {
    const spec = shell("echo $ADJ_RUN_ID");
    const nested = { ...spec, env: { ...spec.env, ADJ_RUN_ID: "outer" } };
    expect(textOf((await runProcess(nested, { runId: "inner" })).stdout)).toBe("outer/inner\n");
  });

  it("has an id of its own in every run", async () => {
    const ids = new Set<string>();
    for (let run = 0; run < 3; run++)
      ids.add(textOf((await runProcess(shell("echo $ADJ_RUN_ID"))).stdout));
    expect(ids.size).toBe(3);
    expect([...ids].every((id) => id.length > 20)).toBe(true);
  });

  it("reads what it is given, to the end of it", async () => {
    const spec = { executable: "cat", args: [], env: {}, cwd: "/" };
    const ending = await runProcess(spec, { stdin: "hello" });
    expect(ending).toMatchObject({ kind: "exited", exitCode: 0, stdout: Buffer.from("hello") });
  });

  it("reads an end of file at once where it is given no input", async () => {
    expect(await runProcess(shell("cat"))).toMatchObject({ kind: "exited", exitCode: 0 });
  });

  it("may end without reading what it is given", async () => {
    const stdin = Buffer.alloc(10_000_000, "x");
    const ending = await runProcess(shell("exit 6"), { stdin });
    expect(ending).toMatchObject({ kind: "exited", exitCode: 6, ioProblem: null });
  });

  it("may close its stdin and go on", async () => {
    const stdin = Buffer.alloc(10_000_000, "x");
    const ending = await runProcess(shell("exec <&-; sleep 0.1; echo done"), { stdin });
    expect(ending).toMatchObject({ kind: "exited", exitCode: 0, ioProblem: null });
    expect(textOf(ending.stdout)).toBe("done\n");
  });

  it("10 MB in and 10 MB out on both channels do not deadlock", async () => {
    const stdin = Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)));
    const whole = Buffer.concat(Array.from({ length: 160 }, () => stdin));
    const ending = await runProcess(fixture("echo-bytes.mjs"), {
      stdin: whole,
      keepBytes: 2 * whole.length,
    });
    expect(ending).toMatchObject({ kind: "exited", exitCode: 0, truncated: false });
    expect(whole.equals(ending.stdout)).toBe(true);
    expect(whole.equals(ending.stderr)).toBe(true);
  });
});

describe("the exit code a shell would give", () => {
  it.each([
    [shell("exit 3"), {}, 3],
    [shell("kill -9 $$"), {}, 137],
    [shell("kill -15 $$"), {}, 143],
    [shell("sleep 300"), { timeoutMs: 50 }, 124],
    [shell("sleep 300"), { signal: AbortSignal.abort() }, 130],
    [shell("yes"), { outputLimit: { stdout: { bytes: 9, action: "kill" } } }, 1],
    [{ ...shell(""), executable: "no-such-program" }, {}, 127],
    [{ ...shell(""), executable: "/" }, {}, 126],
  ] as const)("case %#", async (spec, options, code) => {
    expect(shellExitCode(await runProcess(spec, options))).toBe(code);
  });
});
