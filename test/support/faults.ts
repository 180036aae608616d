import { Fault } from "../../src/core/command/fault.ts";

/** The fault that an act must end with. */
export async function faultOf(act: () => unknown): Promise<Fault> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
