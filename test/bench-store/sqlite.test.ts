import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { openBench } from "../../src/storage/bench.ts";
import { describeStore } from "./conformance.ts";

const folder = mkdtempSync(join(tmpdir(), "adj-bench-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the store in a file", () => describeStore(() => openBench(folder)));
