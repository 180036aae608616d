// Every evaluator in turn, on a snapshot that lies where the agent never was.
import { join } from "node:path";
import { monotonicMs } from "../../monotonic-ms.ts";
import type { Evaluator, Grading } from "../evaluator.ts";
import type { EvaluatorEntry } from "../suite.ts";
import type { Evaluation } from "../trial.ts";
import { copyTree } from "./tree-files.ts";

export interface GradingShop {
  readonly find: (type: string) => Evaluator | null;
  /** A folder for the evaluators' own copies. */
  readonly place: string;
  readonly grading: Omit<Grading, "copySnapshot" | "newFolder" | "keep">;
  /** Under the name of the evaluator. */
  readonly keep: (name: string, bytes: Uint8Array | string) => Promise<void>;
}

export async function gradeTrial(
  entries: readonly EvaluatorEntry[],
  shop: GradingShop,
): Promise<Evaluation[]> {
  const evaluations: Evaluation[] = [];
  for (const entry of entries) evaluations.push(await evaluate(entry, shop));
  return evaluations;
}

async function evaluate(entry: EvaluatorEntry, shop: GradingShop): Promise<Evaluation> {
  const startedAt = monotonicMs();
  const { id, type, weight } = entry;
  const artifacts: string[] = [];
  let folders = 0;
  const newFolder = () => join(shop.place, `${id}-${++folders}`);
  const grading: Grading = {
    ...shop.grading,
    newFolder,
    copySnapshot: async () => {
      const copy = newFolder();
      await copyTree(shop.grading.snapshot.folder, copy);
      return copy;
    },
    keep: async (name, bytes) => {
      artifacts.push(`${id}/${name}`);
      await shop.keep(`${id}/${name}`, bytes);
    },
  };
  const facts = () => ({ id, type, weight, artifacts, durationMs: monotonicMs() - startedAt });
  try {
    const evaluator = shop.find(type);
    if (evaluator === null) throw new TypeError(`there is no evaluator \`${type}\``);
    const grade = await evaluator.grade(entry.options, grading);
    return { ...facts(), ...grade };
  } catch (error) {
    shop.grading.signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    return { ...facts(), status: "broken", score: null, message, metrics: {} };
  }
}
