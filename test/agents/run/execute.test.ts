import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RUN_LOG } from "../../../src/agents/log/run-log.ts";
import { runAgent } from "../../../src/agents/run/run-agent.ts";
import { adapterOf } from "../../support/agents.ts";
import { longTest } from "../../support/tier.ts";
import {
  ANSWER,
  attempt,
  COMPLETED,
  makePlace,
  makeProgram,
  print,
  STARTED,
} from "./scripted-agent.ts";

/** A limit within which a program has surely said its first words, beside whatever else runs. */
const TIME_TO_SPEAK_MS = 2_000;

const codesOf = ({ log }: { log: { errors: readonly { code: string }[] } }) =>
  log.errors.map(({ code }) => code);

describe("a run", () => {
  test("that succeeds has all its facts in result and log", async () => {
    const place = makePlace();
    const program = makeProgram(place, `cat > ../got\n${print(STARTED, ANSWER, COMPLETED)}`);
    const run = await attempt(place, { program, config: { model: "gpt-5.5" } });
    expect(run.result.execution).toMatchObject({
      exit_code: 0,
      status: "success",
      timed_out: false,
    });
    expect(run.result.execution).not.toHaveProperty("signal");
    expect(readFileSync(join(place.folder, "got"), "utf8")).toBe("do it");
    expect(run.log).toMatchObject({
      model_info: { name: "gpt-5.5", source: "config", provider: "openai" },
      usage: { input_tokens: 5, output_tokens: 6, total_tokens: 11 },
      session: { id: "t-1", resumable: true },
      errors: [],
    });
    expect(run.log.messages.map(({ role, content }) => [role, content])).toEqual([
      ["user", "do it"],
      ["assistant", "Hello."],
    ]);
    expect(RUN_LOG.safeParse(run.log).error).toBeUndefined();
    expect(Object.isFrozen(run.result) && Object.isFrozen(run.result.execution)).toBe(true);
  });

  test("carries the command that ran, without its prompt where that was piped in", async () => {
    const place = makePlace();
    const program = makeProgram(place, print(STARTED, ANSWER, COMPLETED));
    const { log, command } = await attempt(place, { program, config: { model: "gpt-5.5" } });
    expect(log.command).toEqual({ executable: program, args: command?.args });
    expect(log.command?.args).toContain("gpt-5.5");
    expect(log.command?.args).not.toContain("do it");
  });

  test("cuts a long argument in the log, and only there", async () => {
    const place = makePlace();
    const long = "x".repeat(60_000);
    const argv = [makeProgram(place, "echo done"), long];
    const { log, command } = await attempt(place, {
      agent: "command",
      program: "",
      config: { argv },
    });
    expect(command?.args).toEqual([long]);
    expect(log.command?.args).toEqual([`${"x".repeat(50_000)}\n[10000 more characters left out]`]);
  });

  test("that was refused has no command in its log", async () => {
    const place = makePlace();
    const { log } = await attempt(place, { program: "", config: { model: "no model" } });
    expect(log.command).toBeNull();
  });

  test("has times that agree with each other", async () => {
    const place = makePlace();
    const before = Date.now();
    const { execution } = (await attempt(place, { program: makeProgram(place, "sleep 0.2") }))
      .result;
    const elapsed = Date.now() - before;
    const between = Date.parse(execution.completed_at) - Date.parse(execution.started_at);
    // Both contain the sleep and lie within the test's own measure; two clocks may differ by a rounding.
    for (const span of [between, execution.duration_ms]) {
      expect(span).toBeGreaterThan(150);
      expect(span).toBeLessThanOrEqual(elapsed + 2);
    }
  });

  test("hands on its events while it is still running", async () => {
    const place = makePlace();
    const gate = join(place.folder, "gate");
    const wait = `while [ ! -e '${gate}' ]; do sleep 0.05; done`;
    const program = makeProgram(place, `${print(STARTED, ANSWER)}\n${wait}\n${print(COMPLETED)}`);
    const seen: string[] = [];
    const run = await attempt(place, {
      program,
      options: {
        onEvent(event) {
          seen.push(event.kind);
          if (event.kind === "message") writeFileSync(gate, "");
        },
      },
    });
    expect(seen).toEqual(["init", "message", "usage", "final"]);
    expect(run.result.execution.status).toBe("success");
  });

  test("saves what was printed as it came, and shows it clean", async () => {
    const place = makePlace();
    const program = makeProgram(
      place,
      `printf '\\033[31mred\\033[0m\\n'; printf 'warn\\377\\n' >&2; ${print(COMPLETED)}`,
    );
    const { result } = await attempt(place, { program });
    const [stdout, stderr] = [result.stdoutPath ?? "", result.stderrPath ?? ""];
    expect(readFileSync(stdout, "latin1")).toBe(
      `\u001b[31mred\u001b[0m\n${JSON.stringify(COMPLETED)}\n`,
    );
    expect(readFileSync(stderr, "latin1")).toBe("warn\u00ff\n");
    expect(result.output).toBe(`red\n${JSON.stringify(COMPLETED)}\nwarn\ufffd\n`);
  });

  test("has a temporary folder of its own, which is gone afterwards", async () => {
    const place = makePlace();
    const program = makeProgram(
      place,
      `echo "$TMPDIR" > ../tmpdir; touch "$TMPDIR/left"; ${print(COMPLETED)}`,
    );
    await attempt(place, { program, env: { TMPDIR: place.folder } });
    const folder = readFileSync(join(place.folder, "tmpdir"), "utf8").trim();
    expect(folder.startsWith(join(place.folder, "adj-"))).toBe(true);
    expect(existsSync(folder)).toBe(false);
  });

  test("reads the report that the agent was told to write", async () => {
    const place = makePlace();
    const report = {
      modelMetrics: {
        m: {
          usage: {
            inputTokens: 9,
            outputTokens: 4,
            cacheReadTokens: 3,
            cacheWriteTokens: 0,
            reasoningTokens: 1,
          },
        },
      },
    };
    const body = `while [ "$1" != --usage-output-file ]; do shift; done
printf '%s' '${JSON.stringify(report)}' > "$2"
${print({ type: "result", timestamp: "2026-11-15T20:20:54.161Z", sessionId: "s", exitCode: 0 })}`;
    const run = await attempt(place, { agent: "copilot", program: makeProgram(place, body) });
    expect(run.log.usage).toMatchObject({
      input_tokens: 9,
      output_tokens: 4,
      reasoning_tokens: 1,
      total_tokens: 13,
    });
  });
});

describe("a run that goes wrong", () => {
  test("keeps the exit code of the program", async () => {
    const place = makePlace();
    const run = await attempt(place, {
      program: makeProgram(place, "echo 'invalid value' >&2; exit 2"),
    });
    expect(run.result.execution).toMatchObject({ status: "failed", exit_code: 2 });
    expect(codesOf(run)).toEqual(["CODEX_INVALID_CONFIG"]);
  });

  test("without its final word has been aborted", async () => {
    const place = makePlace();
    const run = await attempt(place, { program: makeProgram(place, print(STARTED, ANSWER)) });
    expect(run.result.execution).toMatchObject({ status: "failed", exit_code: 0 });
    expect(codesOf(run)).toEqual(["CODEX_ABORTED"]);
  });

  test("by a signal has no exit code and never succeeds", async () => {
    const place = makePlace();
    const run = await attempt(place, {
      program: makeProgram(place, `${print(COMPLETED)}\nkill -9 $$`),
    });
    expect(run.result.execution).toMatchObject({
      status: "failed",
      exit_code: null,
      signal: "SIGKILL",
    });
    expect(codesOf(run)).toEqual(["CODEX_ABORTED"]);
  });

  const endPastItsTime = async (own: string) => {
    const place = makePlace();
    const alive = join(place.folder, "alive");
    const body = `${own}\n${print(STARTED, ANSWER)}\n(${own}; while :; do date +%s%N > '${alive}'; sleep 0.1; done) &\nwait`;
    const run = await attempt(place, {
      program: makeProgram(place, body),
      timeout: TIME_TO_SPEAK_MS,
    });
    expect(run.result.execution).toMatchObject({ status: "timeout", timed_out: true });
    expect(codesOf(run)).toEqual(["CODEX_TIMEOUT"]);
    expect(run.log.messages.at(-1)?.content).toBe("Hello.");
    const last = readFileSync(alive, "utf8");
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(readFileSync(alive, "utf8")).toBe(last);
  };
  test("past its time is ended, children and all, and what it printed is kept", () =>
    endPastItsTime(":"));
  longTest("past its time is ended though it is deaf to SIGTERM", () =>
    endPastItsTime("trap '' TERM"),
  );

  test("is cancelled by its signal", async () => {
    const place = makePlace();
    const controller = new AbortController();
    const program = makeProgram(place, `${print(STARTED)}\nexec sleep 60`);
    const run = await attempt(place, {
      program,
      options: { signal: controller.signal, onEvent: () => controller.abort() },
    });
    expect(run.result.execution).toMatchObject({
      status: "cancelled",
      exit_code: null,
      timed_out: false,
    });
    expect(codesOf(run)).toEqual(["CODEX_CANCELLED"]);
  });

  test("for want of a program says so", async () => {
    const place = makePlace();
    const run = await attempt(place, { program: join(place.folder, "no-such-agent") });
    expect(run.result).toMatchObject({
      execution: { status: "failed", exit_code: null },
      stdoutPath: null,
      stderrPath: null,
    });
    expect(codesOf(run)).toEqual(["CODEX_CLI_NOT_FOUND"]);
  });

  test("of a CLI that waited for its next try names the reason before the timeout", async () => {
    const place = makePlace();
    const retry = {
      type: "error",
      message: "Reconnecting... 2/5 (unexpected status 429 Too Many Requests)",
    };
    const program = makeProgram(place, `${print(STARTED, retry)}\nexec sleep 60`);
    const run = await attempt(place, { program, timeout: TIME_TO_SPEAK_MS });
    expect(codesOf(run)).toEqual(["CODEX_RATE_LIMIT", "CODEX_TIMEOUT"]);
  });
});

describe("much output", () => {
  test("over 10 MiB is cut with a mark and a record, and its end is still read", async () => {
    const place = makePlace();
    const line = JSON.stringify({ type: "item.started", item: { filler: "f".repeat(900) } });
    const program = makeProgram(
      place,
      `yes '${line}' | head -c 12000000 | head -n -1\n${print(ANSWER, COMPLETED)}`,
    );
    const run = await attempt(place, { program });
    expect(run.result.truncated).toBe(true);
    expect(run.result.output.trimEnd().split("\n").at(-1)).toContain("[OUTPUT TRUNCATED");
    expect(Buffer.byteLength(run.result.output)).toBeLessThan(10_485_760 + 100);
    expect(run.result.execution.status).toBe("success");
    expect(run.log.usage.total_tokens).toBe(11);
    expect(codesOf(run)).toEqual(["CODEX_OUTPUT_TRUNCATED"]);
    expect(readFileSync(run.result.stdoutPath ?? "").length).toBeGreaterThan(11_000_000);
  });

  test("over the limit of the raw file ends that file with the mark", async () => {
    const place = makePlace();
    const program = makeProgram(place, print(STARTED, ANSWER, COMPLETED));
    const run = await attempt(place, { program, options: { rawLimitBytes: 50 } });
    expect(readFileSync(run.result.stdoutPath ?? "", "utf8")).toMatch(
      /\n\[OUTPUT TRUNCATED[^\n]*\]\n$/,
    );
    expect(run.result.execution.status).toBe("success");
  });
});

describe("before any process", () => {
  const STARTS = "touch ../started";

  test("a wrong configuration is refused with every problem", async () => {
    const place = makePlace();
    const program = makeProgram(place, STARTS);
    const run = await attempt(place, {
      program,
      config: { max_tokens: 3, modle: "x" },
      timeout: -1,
    });
    expect(run.result.execution).toMatchObject({
      status: "failed",
      exit_code: null,
      duration_ms: 0,
    });
    expect(run.log.errors.map(({ code, context }) => [code, context?.path])).toEqual([
      ["CODEX_INVALID_CONFIG", "timeout"],
      ["CODEX_INVALID_CONFIG", "modle"],
      ["CODEX_INVALID_CONFIG", "max_tokens"],
    ]);
    expect(existsSync(join(place.folder, "started"))).toBe(false);
    expect(RUN_LOG.safeParse(run.log).error).toBeUndefined();
  });

  test("a workspace that is no folder is refused", async () => {
    const place = makePlace();
    const program = makeProgram(place, STARTS);
    for (const workspace of ["relative", join(place.folder, "none"), program]) {
      const run = await attempt({ ...place, workspace }, { program });
      expect(codesOf(run)).toEqual(["CODEX_INVALID_CONFIG"]);
    }
  });

  test.runIf(process.platform === "linux")(
    "an agent that has no login is not started",
    async () => {
      const place = makePlace();
      const run = await attempt(place, {
        program: makeProgram(place, STARTS),
        env: { OPENAI_API_KEY: "" },
      });
      expect(codesOf(run)).toEqual(["CODEX_AUTH_FAILED"]);
      expect(existsSync(join(place.folder, "started"))).toBe(false);
    },
  );

  test("a configuration that may name another provider leaves it open", async () => {
    const place = makePlace();
    mkdirSync(join(place.home, ".codex"));
    writeFileSync(join(place.home, ".codex", "config.toml"), "");
    const program = makeProgram(place, print(COMPLETED));
    const run = await attempt(place, { program, env: { OPENAI_API_KEY: "" } });
    expect(run.result.execution.status).toBe("success");
  });
});

describe("a prompt file", () => {
  const READS = `cat > ../got\n${print(COMPLETED)}`;
  const file = (prompt_file: string) => ({ prompt: undefined, prompt_file });

  test("is read from the workspace", async () => {
    const place = makePlace();
    writeFileSync(join(place.workspace, "p.md"), "from the file");
    await attempt(place, { program: makeProgram(place, READS), config: file("./p.md") });
    expect(readFileSync(join(place.folder, "got"), "utf8")).toBe("from the file");
  });

  test("may not lead out of it, not even by a link", async () => {
    const place = makePlace();
    writeFileSync(join(place.folder, "secret"), "secret");
    symlinkSync(join(place.folder, "secret"), join(place.workspace, "link.md"));
    const run = await attempt(place, {
      program: makeProgram(place, READS),
      config: file("link.md"),
    });
    expect(run.log.errors[0]?.message).toContain("leads out of the workspace");
    expect(existsSync(join(place.folder, "got"))).toBe(false);
  });

  test("that is missing, empty or a folder is refused", async () => {
    const place = makePlace();
    writeFileSync(join(place.workspace, "empty.md"), "");
    mkdirSync(join(place.workspace, "folder"));
    for (const name of ["none.md", "empty.md", "folder"]) {
      const run = await attempt(place, { program: makeProgram(place, READS), config: file(name) });
      expect(codesOf(run), name).toEqual(["CODEX_INVALID_CONFIG"]);
    }
  });
});

describe("another try", () => {
  const LIMITED = print(STARTED, {
    type: "turn.failed",
    error: { message: "status: 429 Too Many Requests" },
  });
  const once = (before = "") =>
    `n=$(cat ../count 2>/dev/null || echo 0); echo $((n + 1)) > ../count
if [ "$n" = 0 ]; then ${before}\n${LIMITED}\nexit 1; fi\n${print(ANSWER, COMPLETED)}`;
  const countOf = (folder: string) => readFileSync(join(folder, "count"), "utf8").trim();

  test("is not made unless it was asked for", async () => {
    const place = makePlace();
    const run = await attempt(place, { program: makeProgram(place, once()) });
    expect(codesOf(run)).toEqual(["CODEX_RATE_LIMIT"]);
    expect(countOf(place.folder)).toBe("1");
  });

  test("is made after a rate limit, and the log is that of the last one", async () => {
    const place = makePlace();
    const run = await attempt(place, {
      program: makeProgram(place, once()),
      options: { retries: 2 },
    });
    expect(run.log).toMatchObject({ execution: { status: "success" }, errors: [] });
    expect(countOf(place.folder)).toBe("2");
  });

  test("has all of its time, and what the first one failed by stays in the log", async () => {
    const place = makePlace();
    const refused = print({ type: "turn.failed", error: { message: "status: 401 Unauthorized" } });
    const again = `n=$(cat ../count 2>/dev/null || echo 0); echo $((n + 1)) > ../count
if [ "$n" = 0 ]; then ${LIMITED}; else ${refused}; fi\nexit 1`;
    const codex = adapterOf("codex");
    const limits: number[] = [];
    const buildCommand: typeof codex.buildCommand = (context) => {
      limits.push(context.timeout);
      return codex.buildCommand(context);
    };
    const { log } = await runAgent(
      { ...codex, buildCommand },
      {
        ...{ workspaceDir: place.workspace, logDir: join(place.folder, "log"), runId: "r" },
        ...{ timeout: 60_000, env: { CODEX_API_KEY: "k", PATH: process.env.PATH ?? "" } },
        ...{ config: { prompt: "do it" }, program: makeProgram(place, again) },
      },
      { retries: 1 },
    );
    expect(limits).toEqual([60_000, 60_000]);
    expect(log.errors).toMatchObject([
      { code: "CODEX_AUTH_FAILED" },
      { code: "CODEX_RATE_LIMIT", context: { try: 1 } },
    ]);
  });

  test("is not made where the workspace has changed", async () => {
    const place = makePlace();
    const program = makeProgram(place, once("echo x > changed.txt;"));
    const run = await attempt(place, { program, options: { retries: 2 } });
    expect(codesOf(run)).toEqual(["CODEX_RATE_LIMIT"]);
    expect(countOf(place.folder)).toBe("1");
  });

  test("is not made after a failure that will not pass", async () => {
    const place = makePlace();
    const refused = print({ type: "turn.failed", error: { message: "status: 401 Unauthorized" } });
    const program = makeProgram(place, `echo x >> ../count\n${refused}\nexit 1`);
    await attempt(place, { program, options: { retries: 2 } });
    expect(countOf(place.folder)).toBe("x");
  });
});

test("a run leaves nothing in the temporary folder it was given", async () => {
  const place = makePlace();
  mkdirSync(join(place.folder, "tmp"));
  const env = { TMPDIR: join(place.folder, "tmp") };
  await attempt(place, { program: makeProgram(place, print(COMPLETED)), env });
  expect(readdirSync(join(place.folder, "tmp"))).toEqual([]);
});
