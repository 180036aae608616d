import { type Fault, fault, type Where } from "../command/fault.ts";
import { isCommandName, PROGRAM_WORDS } from "../command/name.ts";

/** Why nothing can be defined or disabled under this name; null for a name that is free to use. */
export function nameProblem(name: string, where: () => Where): Fault | null {
  if (!isCommandName(name)) return fault("NameInvalid", { name }, { where: where() });
  if (!PROGRAM_WORDS.has(name)) return null;
  return fault("NameReserved", { name }, { where: where(), hint: "give it another name" });
}
