import { readFileSync } from "node:fs";
import { errorCode } from "../config/file-problem.ts";

/** A JSON object of our own, null where there is none that can be read. */
export function readState(file: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== null) return null;
    throw error;
  }
}
