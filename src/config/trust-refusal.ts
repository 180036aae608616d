import { Fault, fault } from "../command/fault.ts";
import { problemOf } from "./file-problem.ts";

/** Why this project cannot be trusted, naming the path from its root that is to blame. */
export function refuseTrust(root: string, path: string, problem: string, cause?: unknown): Fault {
  return fault(
    "TrustRefused",
    { root, problem: `\`${path}\` ${problem}` },
    { hint: "remove or replace it, then trust again", cause },
  );
}

/** Does something with a path that may be unreadable; what fails is a refusal. */
export function withRefusal<Result>(root: string, path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw refuseTrust(root, path, `cannot be read: ${problemOf(error)}`, error);
  }
}
