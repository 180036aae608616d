import { cpus } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { NewEvent } from "../../../src/core/command/event.ts";
import { createHookAnswerer } from "../../../src/hooks/pipeline/answer.ts";
import { makeColdParts } from "../../../src/hooks/resident/cold-parts.ts";
import type { VirtualCatalog } from "../../../src/hooks/virtual/virtual-step.ts";
import { ownProgram } from "../../../src/own-program.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { inTier } from "../../support/tier.ts";
import { makeHookedHome } from "./hooked-home.ts";
import { findAnswerProblem, type MutatedCall, mutatedCall } from "./mutated-payloads.ts";

const CALLS = inTier(2_000, 100_000);

test("payloads, whatever is in them, get an answer their agent understands", {
  timeout: 300_000,
}, async () => {
  const folder = temporaryFolder("adjutant-test-");
  const events: NewEvent[] = [];
  const parts = makeColdParts(ownProgram);
  let catalog: Promise<VirtualCatalog> | null = null;
  const answer = createHookAnswerer({
    ...parts,
    openCatalog: (place) => {
      catalog ??= parts.openCatalog(place);
      return catalog;
    },
    // The store itself is tried elsewhere; here all that would go into it is looked at.
    record: (_, recorded) => events.push(...recorded),
  });
  const env = {
    HOME: folder,
    ADJ_STATE_DIR: join(folder, "state"),
    ADJ_CONFIG_DIR: join(folder, "config"),
    CLAUDE_PROJECT_DIR: folder,
  };
  const problems: [MutatedCall, string][] = [];
  const signal = new AbortController().signal;
  let answered = 0;
  for (let round = 0; round < CALLS / 1_000; round++)
    for (const call of fc.sample(mutatedCall, 1_000)) {
      const reply = await answer({ ...call, env, cwd: folder, signal });
      reply.record();
      const problem = findAnswerProblem(call.agent, reply.stdout);
      if (problem !== null) problems.push([call, problem]);
      if (call.agent === "gemini" && reply.stderr !== "") problems.push([call, reply.stderr]);
      answered += 1;
    }
  expect(problems.slice(0, 3)).toEqual([]);
  expect(answered).toBe(CALLS);
  expect(events.length).toBeGreaterThan(CALLS / 4);
});

test("some of them by the built program: exit code 0, a valid answer, no hang", {
  timeout: 300_000,
}, async () => {
  const home = makeHookedHome();
  const calls = fc.sample(mutatedCall, inTier(12, 500));
  const problems: unknown[] = [];
  const work = async () => {
    for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
      const place = { stdin: call.payload, env: { ...home.env, ADJ_RESIDENT: "off" } };
      const { exitCode, signal, stdout } = await home.adjIn(place, "hook", call.agent);
      const problem = findAnswerProblem(call.agent, stdout);
      if (exitCode !== 0 || signal !== null || problem !== null)
        problems.push({ call, exitCode, signal, problem });
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, cpus().length) }, work));
  expect(problems).toEqual([]);
});
