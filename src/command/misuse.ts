import { type Fault, fault } from "./fault.ts";

/** The words given do not fit; the help of the command says which do. */
export const misuse = (command: string, problem: string): Fault =>
  fault("ArgumentsInvalid", { command, problem }, { hint: `see \`adj help ${command}\`` });
