// A prompt that is a virtual command, and work beside the hooks of others.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Scenario } from "../../../src/sim/scenario.ts";
import { readLatest } from "../../../src/sim/wire.ts";
import type { GuardedDrive } from "./drive-guarded.ts";
import type { Results } from "./expectations.ts";
import { ENDINGS } from "./guarded-work.ts";

export const TALK: Scenario = { turns: ENDINGS };

/** All of them print JSON. */
const ANSWER = String.raw`one\ntwo\nthree`;

export function observePrompt({ turns, printed, exitCode }: GuardedDrive): Results {
  if (exitCode !== 0) return { prompt: `ended with ${exitCode}` };
  const [first] = turns;
  if (first === undefined) return { prompt: printed.includes(ANSWER) ? "yes" : "unanswered" };
  const asked = first.request === null ? "" : readLatest(first.request).user;
  return { prompt: asked.includes("adj-lines") ? "goes to the model" : "the gate asks the model" };
}

export const WORK_BESIDE_OTHERS: Scenario = {
  turns: [
    { tool_calls: [{ tool: "shell", command: "touch by-rule" }] },
    { tool_calls: [{ tool: "shell", command: "touch harmless" }] },
    ...ENDINGS,
  ],
};

export async function observeBesideOthers(drive: GuardedDrive): Promise<Results> {
  const { place, turns } = drive;
  const isThere = (name: string) => existsSync(join(place.workspace, name));
  const toldIn = (at: number) => {
    const request = turns[at]?.request;
    return request ? readLatest(request).toolResults : "";
  };
  const hasHeld = !isThere("by-rule") && !isThere("by-rule-rewritten");
  const isTold = toldIn(1).includes("REFUSED BY A RULE");
  return {
    veto: hasHeld && isTold ? "yes" : "no",
    smuggled: isThere("by-rule-smuggled")
      ? `no; \`adj doctor\` ${await askDoctor(drive)}`
      : isThere("harmless")
        ? "nobody can rewrite"
        : "yes",
  };
}

async function askDoctor({ place }: GuardedDrive): Promise<string> {
  const { stdout } = await place.adj("doctor", place.agent);
  return /^ {2}warn {2}[\w-]+: beside ours: /m.test(stdout) ? "warns" : "is silent";
}
