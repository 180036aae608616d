// A fault on its way from one process to another: reported there, thrown on here.
import { Fault, type FaultReport } from "../../core/command/fault.ts";
import { FAULT_CODES, type FaultCodeName } from "../../core/command/fault-codes.ts";

/** What an extension answers over HTTP. */
export type ExtensionReply<Value> =
  | { readonly kind: "answer"; readonly value: Value }
  | { readonly kind: "refused"; readonly error: FaultReport; readonly exitCode: number };

/** A fault that was reported, to be thrown on; a code from outside stays its `reportedCode`. */
export function reviveFault({ code, message, hint }: FaultReport, exitCode: number): Fault {
  const known = isFaultCode(code) ? code : "HandlerThrew";
  const details = { exitCode, reportedCode: code, ...(hint === null ? {} : { hint }) };
  return new Fault(known, {}, message, details);
}

const isFaultCode = (code: string): code is FaultCodeName => Object.hasOwn(FAULT_CODES, code);
