import { Fault } from "../../../src/core/command/fault.ts";

/** The fault that `work` raises; anything else that happens fails the test. */
export function catchFault(work: () => unknown): Fault {
  try {
    work();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("no fault was raised");
}
