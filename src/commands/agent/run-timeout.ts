import { parseDuration } from "../../command/duration.ts";
import { fault } from "../../command/fault.ts";

/** `10m` in milliseconds; `none` is 0. */
export function readTimeout(timeout: string, command: string): number {
  const limit = timeout === "none" ? 0 : parseDuration(timeout);
  if (limit !== null) return limit;
  const problem = "`--timeout` must be a duration such as `10m`, or `none`";
  throw fault("ArgumentsInvalid", { command, problem });
}
