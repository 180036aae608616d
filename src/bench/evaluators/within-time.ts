import { runInNewContext } from "node:vm";

/**
 * Work that may never end, an expression that looks for its match among all there could be: past its time it is
 * broken off and throws. Nothing else of this program runs meanwhile.
 */
export function withinTime<Value>(timeout: number, work: () => Value): Value {
  const done: { value: Value }[] = [];
  try {
    runInNewContext("work()", { work: () => void done.push({ value: work() }) }, { timeout });
  } catch (error) {
    if (!isOverdue(error)) throw error;
  }
  const [first] = done;
  if (first === undefined) throw new Error(`it took longer than ${timeout} ms to decide`);
  return first.value;
}

/** It comes from another realm, and is no `Error` of this one. */
const isOverdue = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "code" in error &&
  error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
