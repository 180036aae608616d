import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StepName } from "../../../src/core/step/step.ts";
import type { HandlerReport } from "../../../src/core/step/verdict.ts";
import { PERMISSIONS, type Verdict } from "../../../src/core/step/verdict.ts";
import type { HandlerOutcome } from "../../../src/hooks/handlers/protocol.ts";
import { pipelineOf, sampleEnvelope, sampleRule, subjectOf, verdict } from "./samples.ts";

const error: HandlerOutcome = { kind: "error", problem: "it broke" };

describe("what handlers say adds up", () => {
  test("nobody asked, nothing decided", async () => {
    const { decide } = pipelineOf([["one", { control: "veto" }]], { matches: () => false });
    expect(await decide()).toMatchObject({ control: "proceed", reports: [], diagnostics: [] });
  });

  test("data accumulates, and each handler sees the arguments of the one before", async () => {
    const seen: unknown[] = [];
    const { decide } = pipelineOf([
      ["one", { args: { n: 1 }, additional_context: ["a"] }],
      [
        "two",
        ({ envelope }) => {
          seen.push(envelope.args);
          return { args: { n: 2 }, additional_context: ["b"] };
        },
      ],
      [
        "three",
        ({ envelope }) => {
          seen.push(envelope.args);
          return {};
        },
      ],
    ]);
    expect(await decide()).toMatchObject({
      control: "proceed",
      args: { n: 2 },
      additionalContext: ["a", "b"],
      reports: [
        { rule: "one", did: "changed" },
        { rule: "two", did: "changed" },
        { rule: "three", did: "nothing" },
      ],
    });
    expect(seen).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test.each<[StepName, Verdict, object]>([
    ["before_prompt", { prompt: "other" }, { prompt: "other" }],
    ["after_tool", { output: "other" }, { output: "other" }],
  ])("at %s a rewrite is seen by the next", async (step, given, seen) => {
    const envelopes: unknown[] = [];
    const on = [step];
    const { decide } = pipelineOf(
      [
        [sampleRule("one", { on }), given],
        [
          sampleRule("two", { on }),
          ({ envelope }) => {
            envelopes.push(envelope);
            return {};
          },
        ],
      ],
      { envelope: sampleEnvelope({ step }) },
    );
    expect(await decide()).toMatchObject(seen);
    expect(envelopes).toMatchObject([seen]);
  });

  test("a rewrite is matched anew: the guard behind it sees what will run", async () => {
    const { asked, decide } = pipelineOf(
      [
        ["rewriter", { args: { command: "rm -rf /" } }],
        ["guard", { control: "veto", reason: "never" }],
      ],
      {
        envelope: sampleEnvelope({ args: { command: "ls" } }),
        matches: (rule, { envelope }) =>
          rule.name !== "guard" || String(envelope.args?.command).startsWith("rm"),
      },
    );
    expect(await decide()).toMatchObject({ control: "veto", reason: "never", args: null });
    expect(asked).toEqual(["rewriter", "guard"]);
  });

  test("an answer ends rewriting, and a later handler may still veto", async () => {
    const answered = pipelineOf([
      ["answer", { result: { output: "4" } }],
      ["late", { args: { n: 1 }, result: { output: "5" }, permission: "ask" }],
    ]);
    expect(await answered.decide()).toMatchObject({
      control: "proceed",
      result: { output: "4" },
      args: null,
      permission: "ask",
      diagnostics: ["`late` rewrote a step that was already answered: left out"],
    });
    const vetoed = pipelineOf([
      ["answer", { result: { output: "4" } }],
      ["guard", { control: "break" }],
    ]);
    expect(await vetoed.decide()).toMatchObject({
      control: "veto",
      result: null,
      reason: "vetoed by `guard`",
      decidedBy: "guard",
    });
  });

  test("context where the step has no place for it is left out and told", async () => {
    const on = ["before_permission"] as const;
    const { decide } = pipelineOf([[sampleRule("one", { on }), { additional_context: ["x"] }]], {
      envelope: sampleEnvelope({ step: "before_permission" }),
    });
    expect(await decide()).toMatchObject({
      additionalContext: [],
      diagnostics: ["`one` added context, for which `before_permission` has no place"],
    });
  });
});

describe("what ends it", () => {
  test.each<[string, Verdict, string]>([
    ["a veto", { control: "veto", reason: " no " }, "no"],
    ["its word", { control: "break" }, "vetoed by `one`"],
    ["an empty reason", { control: "veto", reason: " \n" }, "vetoed by `one`"],
    ["a deny", { permission: "deny" }, "denied by `one`"],
    ["a deny that proceeds", { control: "proceed", permission: "deny", reason: "r" }, "r"],
  ])("%s ends it with a reason", async (_, given, reason) => {
    const { asked, decide } = pipelineOf([
      ["one", given],
      ["two", { control: "veto", reason: "never asked" }],
    ]);
    expect(await decide()).toMatchObject({
      control: "veto",
      reason,
      decidedBy: "one",
      permission: "deny",
      reports: [{ rule: "one", did: "vetoed", note: reason }],
    });
    expect(asked).toEqual(["one"]);
  });

  test("feedback after a tool keeps the output that was rewritten before it", async () => {
    const on = ["after_tool"] as const;
    const { decide } = pipelineOf(
      [
        [sampleRule("redact", { on }), { output: "[secret]" }],
        [sampleRule("tell", { on }), { control: "veto", reason: "look again" }],
      ],
      { envelope: sampleEnvelope({ step: "after_tool" }) },
    );
    expect(await decide()).toMatchObject({
      control: "veto",
      output: "[secret]",
      permission: null,
    });
  });

  test("a turn that was continued three times ends without asking", async () => {
    for (const [continues_so_far, count] of [
      [2, 1],
      [3, 0],
    ] as const) {
      const rule = sampleRule("gate", { on: ["before_turn_end"] });
      const { asked, decide } = pipelineOf([[rule, { control: "continue", reason: "go on" }]], {
        envelope: sampleEnvelope({ step: "before_turn_end", continues_so_far }),
      });
      expect((await decide()).control).toBe(count === 1 ? "veto" : "proceed");
      expect(asked).toHaveLength(count);
    }
  });
});

describe("a handler that fails", () => {
  test.each<[StepName, "block" | "skip" | null, "veto" | "proceed"]>([
    ["before_tool", null, "veto"],
    ["before_permission", null, "veto"],
    ["before_command", null, "veto"],
    ["before_tool", "skip", "proceed"],
    ["before_prompt", null, "proceed"],
    ["before_prompt", "block", "veto"],
    ["session_start", null, "proceed"],
    ["after_tool", null, "proceed"],
    ["before_turn_end", null, "proceed"],
    ["notification", "block", "proceed"],
    ["after_compact", "block", "proceed"],
  ])("at %s with on_error %s ends in %s", async (step, onError, control) => {
    const { decide } = pipelineOf([[sampleRule("one", { on: [step], onError }), error]], {
      envelope: sampleEnvelope({ step }),
    });
    const decision = await decide();
    expect(decision).toMatchObject({
      control,
      reports: [{ did: "failed", note: "it broke" }],
      diagnostics: ["`one` failed: it broke"],
    });
    expect(decision.reason).toBe(control === "veto" ? "the hook `one` failed: it broke" : null);
  });

  test("what a handler or a matcher throws is its own error, and blocks like one", async () => {
    const thrower = () => {
      throw new Error("bug");
    };
    const handler = pipelineOf([["one", thrower]]);
    expect(await handler.decide()).toMatchObject({
      control: "veto",
      reason: "the hook `one` failed: it threw: bug",
    });
    const matcher = pipelineOf([["one", {}]], { matches: thrower });
    expect(await matcher.decide()).toMatchObject({
      control: "veto",
      reason: "the hook `one` failed: it could not be matched: bug",
    });
  });
});

describe("the deadline", () => {
  test("a handler gets its own limit, or what is left of the step's", async () => {
    const limits: number[] = [];
    let clock = 0;
    const { decide } = pipelineOf(
      [
        ["one", {}],
        [sampleRule("two", { timeoutMs: 100 }), {}],
      ],
      {
        now: () => clock,
        deadlineMs: 1_000,
        runHandler: async (_rule, _subject, { timeoutMs }) => {
          limits.push(timeoutMs);
          clock += 600;
          return verdict({});
        },
      },
    );
    await decide();
    expect(limits).toEqual([1_000, 100]);
  });

  test("when it has passed, guards block without being asked and the others are left out", async () => {
    let clock = 0;
    const { decide } = pipelineOf(
      [
        ["slow", {}],
        [sampleRule("observer", { onError: "skip" }), {}],
        ["guard", {}],
        ["never", {}],
      ],
      {
        now: () => clock,
        runHandler: async () => {
          clock += 2_000;
          return verdict({});
        },
      },
    );
    expect(await decide()).toMatchObject({
      control: "veto",
      reason: "the hook `guard` failed: the time for this step was over",
      reports: [
        { rule: "slow", did: "nothing", durationMs: 2_000 },
        { rule: "observer", did: "failed" },
        { rule: "guard", did: "failed" },
      ],
    });
  });
});

describe("a cancel", () => {
  test("ends it; the guards behind it block without being asked", async () => {
    const cancel: HandlerOutcome = { kind: "cancelled" };
    const { asked, decide } = pipelineOf([
      [sampleRule("observer", { onError: "skip" }), cancel],
      ["guard", {}],
    ]);
    expect(await decide()).toMatchObject({
      isCancelled: true,
      control: "veto",
      reason: "the hook `guard` was cancelled",
    });
    expect(asked).toEqual(["observer"]);
  });

  test("before the start asks nobody", async () => {
    const { asked, decide } = pipelineOf([[sampleRule("one", { onError: "skip" }), {}]], {
      signal: AbortSignal.abort(),
    });
    expect(await decide()).toMatchObject({ isCancelled: true, control: "proceed" });
    expect(asked).toEqual([]);
  });
});

describe("once and async", () => {
  test("a rule that ran is not asked again, one that failed is", async () => {
    const ran = new Set<string>();
    const once = {
      hasRun: ({ name }: { name: string }) => ran.has(name),
      markRun: ({ name }: { name: string }) => void ran.add(name),
    };
    const good = pipelineOf([[sampleRule("good", { isOnce: true }), {}]], { once });
    const bad = pipelineOf([[sampleRule("bad", { isOnce: true, onError: "skip" }), error]], {
      once,
    });
    for (const one of [good, good, bad, bad]) await one.decide();
    expect(good.asked).toEqual(["good"]);
    expect(bad.asked).toEqual(["bad", "bad"]);
  });

  test("nobody waits for an async handler, and nothing it says counts", async () => {
    let finish = (): void => undefined;
    const reports: Promise<HandlerReport>[] = [];
    const { decide } = pipelineOf([[sampleRule("log", { isAsync: true }), {}]], {
      runHandler: () =>
        new Promise((resolve) => {
          finish = () => resolve(verdict({ control: "veto", reason: "no" }));
        }),
      onAsync: (report) => reports.push(report),
    });
    expect(await decide()).toMatchObject({ control: "proceed", reports: [] });
    finish();
    expect(await Promise.all(reports)).toMatchObject([
      {
        rule: "log",
        did: "observed",
        note: "an `async` handler decides nothing; its verdict was left out",
      },
    ]);
  });

  test("where nobody takes an async handler over, it is waited for; its failure blocks nothing", async () => {
    const { decide } = pipelineOf([
      [sampleRule("log", { isAsync: true, onError: "block" }), error],
    ]);
    expect(await decide()).toMatchObject({
      control: "proceed",
      reports: [{ rule: "log", did: "failed", note: "it broke" }],
    });
  });
});

describe("in any order", () => {
  const permissions = fc.array(fc.constantFrom(...PERMISSIONS, undefined), { maxLength: 8 });

  test("a permission only tightens", async () => {
    await fc.assert(
      fc.asyncProperty(permissions, async (given) => {
        const { decide } = pipelineOf(
          given.map((permission, at) => [`r${at}`, permission === undefined ? {} : { permission }]),
        );
        const decision = await decide();
        const tightest = PERMISSIONS.findLast((one) => given.includes(one)) ?? null;
        expect(decision.permission).toBe(tightest);
        expect(decision.control).toBe(tightest === "deny" ? "veto" : "proceed");
      }),
    );
  });

  const verdicts = fc.array(
    fc.record(
      {
        args: fc.record({ n: fc.nat(9) }),
        additional_context: fc.array(fc.string(), { maxLength: 2 }),
        result: fc.record({ output: fc.string() }),
        permission: fc.constantFrom("allow" as const, "ask" as const),
        control: fc.constantFrom("proceed" as const, "veto" as const),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 6 },
  );

  test("what failed leaves no trace: the decision is that of the others alone", async () => {
    await fc.assert(
      fc.asyncProperty(verdicts, fc.nat(5), async (given, place) => {
        const rules = given.map((one, at) => [`r${at}`, one] as const);
        const broken = [sampleRule("broken", { onError: "skip" }), error] as const;
        const mixed = [...rules.slice(0, place), broken, ...rules.slice(place)];
        const { reports: _, diagnostics: __, ...alone } = await pipelineOf(rules).decide();
        expect(await pipelineOf(mixed).decide()).toMatchObject(alone);
      }),
    );
  });
});

test("a step is classified once until somebody rewrites it", async () => {
  let count = 0;
  const { decide } = pipelineOf(
    [
      ["one", { additional_context: ["x"] }],
      ["two", { args: {} }],
      ["three", {}],
    ],
    {
      subjectOf: (envelope) => {
        count += 1;
        return subjectOf(envelope);
      },
    },
  );
  await decide();
  expect(count).toBe(2);
});
