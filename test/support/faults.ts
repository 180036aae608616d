import { Fault, formatFault } from "../../src/core/command/fault.ts";

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

/** The one line that a person reads of the fault that an act throws, or that there is none. */
export function problemOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Fault) return formatFault(error);
    throw error;
  }
  return "no problem";
}
