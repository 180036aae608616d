import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../../src/core/command/context.ts";
import { readStageWorkflow } from "../../../../src/workflow/definition/stage-file.ts";
import type { Effect, EffectOutcome } from "../../../../src/workflow/engine/effect.ts";
import { runStages } from "../../../../src/workflow/engine/stages/run-stages.ts";
import type {
  StageEvent,
  StageRunOptions,
} from "../../../../src/workflow/engine/stages/stage-run.ts";
import { PLAN_BUILD_REVIEW } from "../../example-stages.ts";

type Answer = JsonValue | EffectOutcome | undefined;

const isOutcome = (answer: Answer): answer is EffectOutcome =>
  typeof answer === "object" &&
  answer !== null &&
  "kind" in answer &&
  ["value", "null", "thrown", "ended"].includes(String(answer.kind));

const ENDED: EffectOutcome = { kind: "ended", reason: "stopped by a test" };
const passed = (output = ""): JsonValue => ({
  exitCode: 0,
  output,
  errorOutput: "",
  metadata: null,
});
const refused = (errorOutput: string): JsonValue => ({
  exitCode: 1,
  output: "",
  errorOutput,
  metadata: null,
});

/** Runs a workflow against answers by the path of what is asked; what nobody answers gives true. */
async function play(
  text: string,
  answer: (path: string, effect: Effect) => Answer,
  more: Partial<StageRunOptions> = {},
) {
  const asked: string[] = [];
  const effects = new Map<string, Effect>();
  const events: StageEvent[] = [];
  const notes: string[] = [];
  const result = await runStages(readStageWorkflow(text, "flow.yaml"), {
    inputs: {},
    perform: async ({ path, effect }) => {
      asked.push(path);
      effects.set(path, effect);
      await Promise.resolve();
      const value = answer(path, effect);
      return isOutcome(value) ? value : { kind: "value", value: value ?? true, outputTokens: 10 };
    },
    runChild: async ({ name }) => ({ kind: "failed", reason: `nobody has ${name}` }),
    narration: { log: (line) => notes.push(line), phase: (title) => notes.push(`# ${title}`) },
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    ...more,
  });
  return { result, asked, effects, events, notes };
}

const promptAt = (effects: ReadonlyMap<string, Effect>, path: string): string => {
  const effect = effects.get(path);
  return effect?.kind === "agent" ? effect.prompt : `no turn at ${path}`;
};

const showEvent = ({ stage, visit, ...event }: StageEvent): string => {
  const { phase, ...rest } = event;
  return [`${stage.name}#${visit} ${phase}`, ...Object.values(rest)].join(" ").trim();
};

describe("a workflow of stages", () => {
  test("goes from its start to its end, each phase an event", async () => {
    let tests = 0;
    const { result, asked, effects, events, notes } = await play(
      PLAN_BUILD_REVIEW,
      (path) => {
        if (path.includes("check") && path.startsWith("build"))
          return tests++ === 0 ? refused("2 failed") : passed();
        if (path.startsWith("review")) return { approve: true, reasons: [] };
        return path.startsWith("release") ? passed("released 1.1\n") : true;
      },
      { inputs: { task: "a clock" } },
    );
    expect(asked).toEqual([
      "plan#1/1/act",
      "plan#1/1/check/0",
      "build#1/1/act",
      "build#1/1/check/0",
      "build#1/2/act",
      "build#1/2/check/0",
      "review#1/1/act",
      "ship#1/1/act",
      "release#1/1/act",
    ]);
    expect(effects.get("plan#1/1/act")).toEqual({
      kind: "agent",
      prompt: "Write a plan for a clock into PLAN.md. Change nothing else.",
      label: "plan",
      phase: "plan",
      agent: "claude-code",
      model: null,
      effort: null,
      schema: null,
      isolation: null,
      agentType: null,
      timeoutMs: null,
      maxUsd: null,
      conversation: "same",
      stage: {
        stage: "plan",
        mode: null,
        posture: [
          { action: "allow", rule: { kind: "read" } },
          { action: "allow", rule: { kind: "search" } },
          { action: "allow", rule: { kind: ["write"], path: ["PLAN.md"] } },
        ],
        commands: [],
        hide: [],
      },
    });
    expect(effects.get("plan#1/1/check/0")).toEqual({ kind: "file", path: "PLAN.md" });
    expect(promptAt(effects, "build#1/1/act")).toBe("Carry out PLAN.md. ");
    expect(promptAt(effects, "build#1/2/act")).toBe("Carry out PLAN.md. 2 failed");
    expect(effects.get("release#1/1/act")).toEqual({
      kind: "command",
      name: "release",
      args: ["minor"],
    });
    expect(
      events.filter(({ stage }) => ["build", "release"].includes(stage.name)).map(showEvent),
    ).toEqual([
      "build#1 enter",
      "build#1 gate true",
      "build#1 act 1",
      "build#1 check 1 false 2 failed",
      "build#1 act 2",
      "build#1 check 2 true",
      "build#1 exit true",
      "build#1 next review",
      "release#1 enter",
      "release#1 gate true",
      "release#1 act 1",
      "release#1 check 1 true",
      "release#1 exit true",
      "release#1 next end",
    ]);
    expect(notes).toContain("build: attempt 1 of 3 did not pass: 2 failed");
    expect(result).toEqual({
      kind: "done",
      stage: "release",
      output: "released 1.1",
      outputs: {
        plan: true,
        build: true,
        review: { approve: true, reasons: [] },
        ship: true,
        release: "released 1.1",
      },
    });
  });

  test("goes elsewhere when a stage was entered as often as it may, and where an answer says", async () => {
    const { result, asked } = await play(PLAN_BUILD_REVIEW, (path, effect) => {
      if (path.startsWith("review")) return { approve: false, reasons: ["ugly"] };
      if (effect.kind === "ask" && effect.choices.length > 0) return "give up";
      return effect.kind === "command" ? passed() : true;
    });
    expect(asked.filter((path) => /^(review|stuck)/.test(path))).toEqual([
      "review#1/1/act",
      "review#2/1/act",
      "review#3/1/act",
      "stuck#1/1/act",
    ]);
    expect(result).toMatchObject({ kind: "done", stage: "stuck", output: "give up" });
  });

  test("sees the output of the stage before, then its own, and those of others by name", async () => {
    const { effects, result } = await play(
      `description: d
start: a
stages:
  a: { prompt: p, output: { n: integer }, next: b }
  b:
    when: output.n > 1
    prompt: "{{ output.n }} {{ stages.a.output.n }} {{ stages.b.output }}|"
    check: { output: output.n == 2 }
    next: [{ when: stages.a.output.n == 7, to: end }, { to: b }]
`,
      (path) => ({ n: path.startsWith("a") ? 7 : 2 }),
    );
    expect(promptAt(effects, "b#1/1/act")).toBe("7 7 |");
    expect(result).toMatchObject({ kind: "done", stage: "b", output: { n: 2 } });
  });

  test("does not begin a stage whose gate is shut", async () => {
    const text = (otherwise: string) =>
      `description: d\nstart: a\nstages:\n  a: { prompt: p, when: inputs.go${otherwise} }\n  b: { prompt: q }\ninputs: { go: whether }\n`;
    const open = await play(text(", otherwise: b"), () => true, { inputs: { go: false } });
    expect(open.asked).toEqual(["b#1/1/act"]);
    expect(open.events.slice(0, 4).map(showEvent)).toEqual([
      "a#1 enter",
      "a#1 gate false",
      "a#1 exit false `when: inputs.go` does not hold",
      "a#1 next b",
    ]);
    const shut = await play(text(", next: b"), () => true, { inputs: { go: "" } });
    expect(shut.result).toEqual({
      kind: "failed",
      stage: "a",
      reason: "stage `a`: `when: inputs.go` does not hold",
    });
  });

  test("tells an agent what did not pass although its prompt does not ask for it", async () => {
    const { effects, result } = await play(
      "description: d\nstart: a\nstages:\n  a: { prompt: mend it, check: { command: test }, attempts: 2 }\n",
      (_, effect) => (effect.kind === "command" ? refused("it broke") : "done"),
    );
    expect(promptAt(effects, "a#1/1/act")).toBe("mend it");
    expect(promptAt(effects, "a#1/2/act")).toBe("mend it\n\nThe check did not pass:\nit broke");
    expect(result).toEqual({ kind: "failed", stage: "a", reason: "stage `a`: it broke" });
  });

  test("checks in order, until one does not pass", async () => {
    const { asked, events } = await play(
      `description: d
start: a
stages:
  a: { prompt: p, check: [{ file: "{{ output.file }}" }, { ask: "Is {{ output.file }} good?" }, { command: test }] }
`,
      (path) => (path.endsWith("act") ? { file: "X.md" } : !path.endsWith("1")),
    );
    expect(asked).toEqual(["a#1/1/act", "a#1/1/check/0", "a#1/1/check/1"]);
    expect(events.map(showEvent)).toContain(
      "a#1 check 1 false `Is X.md good?` was answered with no",
    );
  });

  test("begins its first act when a person says so, with what was said", async () => {
    const order: string[] = [];
    const { effects } = await play(
      "description: d\nstart: a\nstages:\n  a: { prompt: first, next: b }\n  b: { prompt: second }\n",
      (path) => order.push(path),
      {
        beforeFirstAct: async (stage) => {
          order.push(`waits in ${stage.name}`);
          return " mind the gap ";
        },
      },
    );
    expect(order).toEqual(["waits in a", "a#1/1/act", "b#1/1/act"]);
    expect(promptAt(effects, "a#1/1/act")).toBe("first\n\nmind the gap");
    expect(promptAt(effects, "b#1/1/act")).toBe("second");
  });

  test("runs another workflow with inputs of its own, and takes its result", async () => {
    const { result } = await play(
      `description: d
inputs: { what: w }
start: a
stages:
  a: { workflow: other, inputs: { text: "see {{ inputs.what }}", n: 3 }, output: { ok: boolean } }
`,
      () => true,
      {
        inputs: { what: "this" },
        runChild: async ({ name, inputs, path }) => {
          expect({ name, inputs, path }).toEqual({
            name: "other",
            inputs: { text: "see this", n: 3 },
            path: "a#1/1/act",
          });
          return { kind: "value", value: { ok: true } };
        },
      },
    );
    expect(result).toMatchObject({ kind: "done", output: { ok: true } });
  });
});

const ONE = (keys: string) => `description: d\nstart: a\nstages:\n  a: { ${keys} }\n`;

test.each<[string, string, Answer, string]>([
  [
    "an agent that failed for good",
    "prompt: p",
    { kind: "null", reason: "the agent died", outputTokens: 0 },
    "stage `a`: the agent died",
  ],
  [
    "what the engine refuses",
    "prompt: p, attempts: 5",
    { kind: "thrown", message: "the budget is spent" },
    "stage `a`: the budget is spent",
  ],
  [
    "a command that failed silently",
    "command: test",
    refused(""),
    "stage `a`: `test` ended with exit code 1",
  ],
  [
    "an output that is no JSON",
    "command: test, output: { n: integer }",
    passed("many"),
    "stage `a`: the output does not fit: it must be object",
  ],
  ["an answer of no", "ask: Go?", false, "stage `a`: the answer was no"],
  [
    "an answer that nobody offered",
    "ask: 'Go?', choices: { on: end }",
    "off",
    "stage `a`: the answer `off` is none of the choices",
  ],
  [
    "nobody who answers",
    "ask: 'Go?', choices: { on: end }",
    { kind: "null", reason: "nobody answered", outputTokens: 0 },
    "stage `a`: nobody answered",
  ],
  [
    "a list that is none",
    "each: { in: output.files, as: file, do: { prompt: p } }",
    true,
    "stage `a`: `in` of `each` is no list",
  ],
  [
    "a way that does not hold",
    "prompt: p, next: [{ when: output.x, to: end }]",
    {},
    "no `next` of stage `a` holds",
  ],
  ["a workflow that nobody has", "workflow: other", true, "stage `a`: nobody has other"],
  [
    "a loop at its limit",
    "prompt: p, visits: 2, next: [{ when: output.x, to: end }, { to: a }]",
    {},
    "stage `a` was entered 2 times, as often as it may",
  ],
  [
    "a stage's own budget",
    "prompt: p, check: { output: output.x }, attempts: 9, budget: { calls: 2 }",
    {},
    "stage `a`: its budget of 2 calls is used up",
  ],
  [
    "tokens of a stage",
    "prompt: p, check: { output: output.x }, attempts: 9, budget: { tokens: 15 }",
    {},
    "stage `a`: its budget of 15 tokens is used up",
  ],
])("%s fails the run when there is no `otherwise`", async (_, keys, answer, reason) => {
  const { result } = await play(ONE(keys), () => answer);
  expect(result).toEqual({ kind: "failed", stage: "a", reason });
});

test("what is not answered with a value is not asked again, but for what may go better", async () => {
  const thrown = await play(ONE("prompt: p, attempts: 5"), () => ({
    kind: "thrown",
    message: "no",
  }));
  expect(thrown.asked).toHaveLength(1);
  const dead = await play(ONE("prompt: p, attempts: 5"), () => ({
    kind: "null",
    reason: "died",
    outputTokens: 0,
  }));
  expect(dead.asked).toHaveLength(5);
});

describe("each", () => {
  const EACH = `description: d
inputs: { files: which }
start: all
stages:
  all:
    each: { in: inputs.files, as: file, do: { prompt: "Mend {{ file }}. {{ check.output }}" }, at_once: 2, isolate: worktree }
    attempts: 2
`;
  const files = ["a", "b", "c", "d", "e"];

  test("goes through a list, so many at once, and gives what came out in its order", async () => {
    let running = 0;
    let most = 0;
    const { result, effects } = await play(EACH, () => true, {
      inputs: { files },
      perform: async ({ effect }) => {
        running += 1;
        most = Math.max(most, running);
        const prompt = effect.kind === "agent" ? effect.prompt : "";
        // The first ones take longest.
        for (let tick = 0; tick < 10 - (prompt.charCodeAt(5) % 7); tick++) await Promise.resolve();
        running -= 1;
        return { kind: "value", value: prompt, outputTokens: 1 };
      },
    });
    expect(most).toBe(2);
    expect(effects.size).toBe(0);
    expect(result).toMatchObject({ kind: "done", output: files.map((file) => `Mend ${file}. `) });
  });

  test("is isolated and has threads of its own", async () => {
    const { effects } = await play(EACH, () => "x", { inputs: { files } });
    expect(effects.get("all#1/1/each/4")).toMatchObject({
      isolation: "worktree",
      conversation: "fresh",
      label: "all 5",
      phase: "all",
    });
  });

  test("does again only what failed", async () => {
    const { asked, effects, result } = await play(
      EACH,
      (path) =>
        path === "all#1/1/each/2" ? { kind: "null", reason: "it died", outputTokens: 0 } : path,
      { inputs: { files } },
    );
    expect(asked.filter((path) => path.startsWith("all#1/2"))).toEqual(["all#1/2/each/2"]);
    expect(promptAt(effects, "all#1/2/each/2")).toBe("Mend c. entry 3: it died");
    expect(result).toMatchObject({
      output: [
        "all#1/1/each/0",
        "all#1/1/each/1",
        "all#1/2/each/2",
        "all#1/1/each/3",
        "all#1/1/each/4",
      ],
    });
  });

  test("of nothing is done at once", async () => {
    const { asked, result } = await play(EACH, () => true, { inputs: { files: [] } });
    expect(asked).toEqual([]);
    expect(result).toMatchObject({ kind: "done", output: [] });
  });

  test("of more than anybody means is refused", async () => {
    const { result } = await play(EACH, () => true, {
      inputs: { files: Array.from({ length: 4097 }, () => 1) },
    });
    expect(result).toMatchObject({
      reason: "stage `all`: `each` has 4097 entries, at most 4096 are allowed",
    });
  });
});

describe("a run that is over", () => {
  test("does nothing more", async () => {
    const { result, asked } = await play(PLAN_BUILD_REVIEW, (path) =>
      path.startsWith("build") ? ENDED : true,
    );
    expect(result).toEqual({ kind: "ended", reason: "stopped by a test" });
    expect(asked.at(-1)).toBe("build#1/1/act");
  });

  test("is over for what another workflow in it says, and for its signal", async () => {
    const child = await play(ONE("workflow: other, otherwise: end"), () => true, {
      runChild: async () => ({ kind: "ended", reason: "paused" }),
    });
    expect(child.result).toEqual({ kind: "ended", reason: "paused" });
    const aborted = await play(ONE("prompt: p"), () => true, { signal: AbortSignal.abort() });
    expect(aborted.result).toEqual({ kind: "ended", reason: "stopped" });
    expect(aborted.asked).toEqual([]);
  });

  test("comes to the same end when it is taken up anywhere, with nothing done twice", async () => {
    const text = PLAN_BUILD_REVIEW.replace("inputs: { ", "inputs: { parts: of it, ")
      .replace("next: build", "next: spread")
      .replace(
        "  build:",
        "  spread: { each: { in: inputs.parts, as: part, do: { prompt: p }, at_once: 3 }, next: build }\n  build:",
      );
    const inputs = { task: "t", parts: ["x", "y", "z"] };
    const plain = (path: string): JsonValue => {
      if (path === "build#1/1/check/0") return refused("no");
      if (path.startsWith("review")) return { approve: !path.startsWith("review#1"), reasons: [] };
      return path.startsWith("build") && path.includes("check") ? passed(path) : true;
    };
    const whole = await play(text, plain, { inputs });
    expect(whole.result.kind).toBe("done");
    for (let cut = 0; cut < whole.asked.length; cut++) {
      const journal = new Map<string, JsonValue>();
      const again = new Set<string>();
      let left = cut;
      const first = await play(
        text,
        (path) => {
          if (left-- <= 0) return ENDED;
          journal.set(path, plain(path));
          return plain(path);
        },
        { inputs },
      );
      expect(first.result.kind).toBe("ended");
      const second = await play(
        text,
        (path) => {
          if (!journal.has(path)) again.add(path);
          return journal.get(path) ?? plain(path);
        },
        { inputs },
      );
      expect(second.result).toEqual(whole.result);
      expect(journal.size + again.size).toBe(whole.asked.length);
    }
  });
});
