import type { Cassette } from "./cassette.ts";
import { explainRepository } from "./cassettes/explain-repository.ts";
import { fixFailingTest } from "./cassettes/fix-failing-test.ts";

export const DEFAULT_CASSETTE = "explain-repository";

export const BUNDLED_CASSETTES: Readonly<Record<string, Cassette>> = {
  [DEFAULT_CASSETTE]: explainRepository,
  "fix-failing-test": fixFailingTest,
};
