import type { TestCount } from "./test-count.ts";

const RESULT = /^(not )?ok(?=\s|$)/;
const LEFT_OUT = /\s#\s*(skip|todo)\b/i;
const PLAN = /^1\.\.(\d+)/;

/** Tests that were planned and not run count as failed; null where more ran than were planned. */
export function readTap(text: string): TestCount | null {
  let [passed, failed, left, planned] = [0, 0, 0, 0];
  let hasPlan = false;
  for (const line of text.split("\n")) {
    const plan = PLAN.exec(line);
    const result = RESULT.exec(line);
    if (plan !== null) {
      hasPlan = true;
      planned += Number(plan[1]);
    } else if (line.startsWith("Bail out!")) failed += hasPlan ? 0 : 1;
    else if (result === null) continue;
    else if (LEFT_OUT.test(line)) left += 1;
    else if (result[1] === undefined) passed += 1;
    else failed += 1;
  }
  const ran = passed + failed + left;
  if (hasPlan && ran > planned) return null;
  return { passed, all: passed + failed + (hasPlan ? planned - ran : 0) };
}
