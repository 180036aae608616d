import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RUN_LOG, type RunLog } from "../../../src/agents/log/run-log.ts";
import {
  BUNDLED_CASSETTES,
  CASSETTE,
  type Cassette,
  cassetteJsonSchema,
  parseCassette,
} from "../../../src/agents/replay/cassette.ts";
import { recordCassette } from "../../../src/agents/replay/record-cassette.ts";
import { normalizeRecording, readRecording } from "../run/read-recording.ts";
import { attempt, makePlace, type Place } from "../run/scripted-agent.ts";

function play(place: Place, cassette: Cassette, more: object = {}) {
  const file = join(place.folder, "tape.json");
  writeFileSync(file, JSON.stringify(cassette));
  const attempted = { agent: "replay", program: "", config: { cassette: file }, ...more };
  return attempt(place, attempted);
}

const tape = (steps: Cassette["steps"], more: Partial<Cassette> = {}): Cassette => ({
  adjutant: 1,
  steps,
  ...more,
});

const withoutTimes = ({ execution: _execution, run_id: _id, ...rest }: RunLog) => rest;

describe("a cassette", () => {
  test("plays text, commands, writes and edits against the workspace", async () => {
    const place = makePlace();
    const run = await play(
      place,
      tape([
        { say: "I begin." },
        { write: { path: "src/a.txt", content: "one two" }, as: "Write" },
        { edit: { path: "src/a.txt", old: "two", new: "$& three" } },
        { shell: "cat src/a.txt; exit 3", as: "Bash" },
        { tool: { name: "WebFetch", arguments: { url: "https://x.example" }, result: "page" } },
        { say: "Done." },
      ]),
    );
    expect(readFileSync(join(place.workspace, "src/a.txt"), "utf8")).toBe("one $& three");
    expect(
      run.log.tool_calls.map(({ name, kind, result, is_error }) => [name, kind, result, is_error]),
    ).toEqual([
      ["Write", "write", "wrote src/a.txt (7 bytes)", false],
      ["edit", "edit", "edited src/a.txt", false],
      ["Bash", "shell", "one $& three", true],
      ["WebFetch", "fetch", "page", false],
    ]);
    expect(run.log.execution).toMatchObject({ status: "success", exit_code: 0 });
    expect(run.log.files_changed).toEqual(["src/a.txt"]);
    expect(run.result.output).toBe("I begin.\nDone.\n");
    expect(RUN_LOG.safeParse(run.log).error).toBeUndefined();
  });

  test("plays the same every time", async () => {
    const cassette = tape(
      [{ write: { path: "x", content: "1" } }, { shell: "cat x" }, { say: "ok" }],
      {
        usage: { input_tokens: 4, output_tokens: 2 },
        cost_usd: 0.5,
        turns: 2,
      },
    );
    const [first, second] = [makePlace(), makePlace()];
    const logs = [await play(first, cassette), await play(second, cassette)].map(({ log }) => ({
      ...withoutTimes(log),
      environment: null,
    }));
    expect(logs[0]).toEqual(logs[1]);
    expect(logs[0]).toMatchObject({ usage: { total_tokens: 6 }, cost: { usd: 0.5 }, turns: 2 });
  });

  test("keeps its pauses in real time only", async () => {
    // A pause of an hour would outlast the test.
    const fast = await play(makePlace(), tape([{ say: "a", after: "1h" }]));
    expect(fast.log.execution.status).toBe("success");
    const cassette = tape([{ say: "a", after: "400ms" }]);
    const place = makePlace();
    const config = { cassette: join(place.folder, "tape.json"), pace: "real" };
    const real = await play(place, cassette, { config });
    expect(real.log.execution.duration_ms).toBeGreaterThanOrEqual(390);
  });

  test("writes nowhere but in the workspace", async () => {
    const place = makePlace();
    symlinkSync(place.folder, join(place.workspace, "out"));
    const run = await play(
      place,
      tape([
        { write: { path: "../outside.txt", content: "x" } },
        { write: { path: "out/linked.txt", content: "x" } },
        { write: { path: join(place.folder, "absolute.txt"), content: "x" } },
      ]),
    );
    expect(run.log.tool_calls.map(({ is_error }) => is_error)).toEqual([true, true, true]);
    for (const name of ["outside.txt", "linked.txt", "absolute.txt"])
      expect(existsSync(join(place.folder, name)), name).toBe(false);
  });

  test("fails to edit what is not there exactly once", async () => {
    const place = makePlace();
    writeFileSync(join(place.workspace, "a"), "x x");
    const run = await play(
      place,
      tape([
        { edit: { path: "a", old: "x", new: "y" } },
        { edit: { path: "a", old: "z", new: "y" } },
      ]),
    );
    expect(run.log.tool_calls.map(({ is_error }) => is_error)).toEqual([true, true]);
    expect(readFileSync(join(place.workspace, "a"), "utf8")).toBe("x x");
  });

  test("is stopped by its time limit and by a cancel, in the middle of a command", async () => {
    const cassette = tape([{ say: "begun" }, { shell: "sleep 60" }, { say: "never" }]);
    const late = await play(makePlace(), cassette, { timeout: 2_000 });
    expect(late.log.execution).toMatchObject({
      status: "timeout",
      timed_out: true,
      exit_code: null,
    });
    expect(late.log.errors.map(({ code }) => code)).toEqual(["REPLAY_TIMEOUT"]);
    const controller = new AbortController();
    const onEvent = () => controller.abort();
    const cancelled = await play(makePlace(), cassette, {
      options: { signal: controller.signal, onEvent },
    });
    expect(cancelled.log.execution.status).toBe("cancelled");
    expect(cancelled.log.messages.map(({ content }) => content)).not.toContain("never");
  });

  test("of a failed run fails again", async () => {
    const run = await play(makePlace(), tape([{ say: "oh" }], { failure: "the model was gone" }));
    expect(run.log.execution).toMatchObject({ status: "failed", exit_code: 1 });
    expect(run.log.errors.map(({ message }) => message)).toEqual(["the model was gone"]);
  });

  test("may be YAML, and every mistake in it is named", async () => {
    expect(await parseCassette("adjutant: 1\nsteps:\n  - say: hi\n")).toMatchObject({
      kind: "loaded",
      cassette: { steps: [{ say: "hi" }] },
    });
    const wrong = await parseCassette(
      "adjutant: 1\nsteps: [{ say: a, shell: b }, { after: 5 }]\nstep: 1\n",
    );
    expect(wrong).toMatchObject({ kind: "refused" });
    expect(wrong.kind === "refused" && wrong.problem).toMatch(/steps\.0.*exactly one.*steps\.1/);
    expect(await parseCassette("{broken")).toMatchObject({ kind: "refused" });
  });

  test("that cannot be read is a wrong configuration", async () => {
    const place = makePlace();
    const run = await attempt(place, {
      agent: "replay",
      program: "",
      config: { cassette: "/none" },
    });
    expect(run.log.errors).toMatchObject([
      { code: "REPLAY_INVALID_CONFIG", context: { path: "cassette" } },
    ]);
    const odd = await attempt(place, {
      agent: "replay",
      program: "",
      config: { pace: "slow", casette: "x" },
    });
    expect(odd.log.errors.map(({ context }) => context?.path)).toEqual(["pace", "casette"]);
  });

  test("has a published schema", () => {
    expect(cassetteJsonSchema()).toMatchObject({ type: "object", required: ["adjutant", "steps"] });
  });
});

describe("the bundled cassettes", () => {
  test.each(Object.keys(BUNDLED_CASSETTES))("%s plays in an empty folder", async (name) => {
    expect(CASSETTE.safeParse(BUNDLED_CASSETTES[name]).success).toBe(true);
    const place = makePlace();
    const run = await attempt(place, { agent: "replay", program: "", config: { cassette: name } });
    expect(run.log.execution.status).toBe("success");
    expect(run.log.tool_calls.length).toBeGreaterThan(1);
  });

  test("one of them sees a test fail and then pass", async () => {
    const config = { cassette: "fix-failing-test" };
    const run = await attempt(makePlace(), { agent: "replay", program: "", config });
    const shells = run.log.tool_calls.filter(({ kind }) => kind === "shell");
    expect(shells.map(({ is_error }) => is_error)).toEqual([true, false]);
  });

  test("the first is played where none is named, and needs no prompt", async () => {
    const config = { prompt: undefined };
    const run = await attempt(makePlace(), { agent: "replay", program: "", config });
    expect(run.log.messages.at(-1)?.content).toContain("no model was asked");
  });
});

describe("recording", () => {
  test("a real run gives a cassette that does and says the same", async () => {
    const log = normalizeRecording(readRecording("claude-2.1.325/b-shell"));
    const cassette = recordCassette(log);
    expect(CASSETTE.safeParse(cassette).error).toBeUndefined();
    expect(cassette).toEqual({
      adjutant: 1,
      recorded: { agent: "claude-code", agent_version: "2.1.325", model: "claude-opus-5-5" },
      steps: [
        { say: "I will run a command." },
        { shell: "echo hello-from-tool", as: "Bash" },
        { say: "The tool said hello-from-tool." },
      ],
      usage: {
        input_tokens: 2976,
        output_tokens: 444,
        cache_read_tokens: 666,
        cache_write_tokens: 88,
        reasoning_tokens: 0,
      },
      cost_usd: 0.0183412,
      turns: 2,
      stop_reason: "end_turn",
    });
    const played = await play(makePlace(), cassette);
    expect(played.log.usage).toEqual(log.usage);
    expect(played.log.cost).toEqual(log.cost);
    expect(
      played.log.messages.filter(({ role }) => role === "assistant").map(({ content }) => content),
    ).toEqual(
      log.messages.filter(({ role }) => role === "assistant").map(({ content }) => content),
    );
  });

  test("takes a command out of the shell that Codex wraps it in", () => {
    const cassette = recordCassette(normalizeRecording(readRecording("codex/j-toolfail")));
    expect(cassette.steps[0]).toEqual({
      shell: "echo to-stderr >&2; exit 3",
      as: "command_execution",
    });
  });

  test("leaves secrets and the recorded folder's path behind", () => {
    const log = normalizeRecording(readRecording("claude-code/b-shell"));
    const key = `sk-ant-${"A1b2".repeat(10)}`;
    const secretive: RunLog = {
      ...log,
      environment: { ...log.environment, working_directory: "/home/dev/project" },
      tool_calls: log.tool_calls.map((call) => ({
        ...call,
        arguments: {
          command: `cd /home/dev/project && curl -H 'x-api-key: ${key}' hunter2-password`,
        },
      })),
    };
    const written = JSON.stringify(recordCassette(secretive, ["hunter2-password"]));
    expect(written).not.toContain(key);
    expect(written).not.toContain("hunter2-password");
    expect(written).not.toContain("/home/dev/project");
  });
});
