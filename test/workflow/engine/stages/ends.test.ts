// Whatever its effects answer, a workflow of stages comes to an end, and to the same one when the same is answered again.
import fc from "fast-check";
import { expect, test } from "vitest";
import { readStageWorkflow } from "../../../../src/workflow/definition/stage-file.ts";
import type { Effect, EffectOutcome } from "../../../../src/workflow/engine/effect.ts";
import { runStages } from "../../../../src/workflow/engine/stages/run-stages.ts";
import { inTier } from "../../../support/tier.ts";
import { PLAN_BUILD_REVIEW } from "../../example-stages.ts";

const workflow = readStageWorkflow(
  PLAN_BUILD_REVIEW.replace("next: build", "next: spread").replace(
    "  build:",
    "  spread: { each: { in: stages.review.output.reasons, as: one, do: { prompt: p } }, next: build, otherwise: build }\n  build:",
  ),
  "flow.yaml",
);

/** By a number, so that a run can be had again. */
function answer(effect: Effect, drawn: number): EffectOutcome {
  const value = (of: Extract<EffectOutcome, { kind: "value" }>["value"]): EffectOutcome => ({
    kind: "value",
    value: of,
    outputTokens: drawn,
  });
  if (drawn === 0) return { kind: "null", reason: "it died", outputTokens: 0 };
  if (drawn === 1) return { kind: "thrown", message: "no budget" };
  if (effect.kind === "command")
    return value({ exitCode: drawn % 2, output: "said", errorOutput: "", metadata: null });
  if (effect.kind === "ask" && effect.choices.length > 0)
    return value(drawn % 5 === 0 ? "give up" : "build");
  if (effect.kind === "agent" && effect.schema !== null)
    return value({ approve: drawn % 3 === 0, reasons: ["a", "b"].slice(drawn % 3) });
  return value(drawn % 2 === 0);
}

async function play(drawn: readonly number[]) {
  const asked: string[] = [];
  let at = 0;
  const result = await runStages(workflow, {
    inputs: { task: "t" },
    perform: async ({ path, effect }) => {
      asked.push(path);
      const outcome = answer(effect, drawn[at++ % drawn.length] ?? 0);
      await Promise.resolve();
      return outcome;
    },
    runChild: () => Promise.reject(new TypeError("there is none")),
    narration: { log: () => {}, phase: () => {} },
    signal: new AbortController().signal,
  });
  return { result, asked };
}

const { stages } = workflow;
const MAX_EFFECTS = Object.values(stages)
  .map(({ visits, attempts, checks }) => visits * attempts * (4 + checks.length))
  .reduce((sum, one) => sum + one, 0);

test("every run ends, and asks for each thing once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(20), { minLength: 1, maxLength: 40 }), async (drawn) => {
      const { result, asked } = await play(drawn);
      expect(["done", "failed"]).toContain(result.kind);
      expect(asked.length).toBeLessThanOrEqual(MAX_EFFECTS);
      expect(new Set(asked).size).toBe(asked.length);
      expect(await play(drawn)).toEqual({ result, asked });
    }),
    { numRuns: inTier(100, 5_000) },
  );
});
