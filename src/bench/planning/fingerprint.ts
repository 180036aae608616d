import { createHash } from "node:crypto";
import type { SuiteAgent, SuiteCase } from "../suite.ts";

export interface FingerprintFacts {
  readonly case: SuiteCase;
  /** By path relative to the suite. */
  readonly fileHashes: Readonly<Record<string, string>>;
  /** The text of the command's file, null where the case has a prompt. */
  readonly commandText: string | null;
  readonly agent: SuiteAgent;
  readonly agentVersion: string | null;
  readonly adapterVersion: string;
  readonly timeoutMs: number;
  /** The commit a git workspace starts from. */
  readonly commit: string | null;
  readonly suiteFolder: string;
}

/** Equal where a result of one is a result of the other. Where the suite lies and how it is worked through does not matter. */
export function fingerprintOf({ suiteFolder, ...facts }: FingerprintFacts): string {
  const { tags: _tags, labels: _labels, solution: _solution, ...task } = facts.case;
  const { concurrency: _concurrency, ratePerMinute: _rate, ...agent } = facts.agent;
  const text = JSON.stringify({ ...facts, case: task, agent }, sortKeys).replaceAll(
    suiteFolder,
    ".",
  );
  return createHash("sha256").update(text).digest("hex");
}

/** The order in which something was written does not matter either. */
function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
