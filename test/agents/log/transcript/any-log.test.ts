import fc from "fast-check";
import { expect, test } from "vitest";
import { RUN_LOG } from "../../../../src/agents/log/run-log.ts";
import { anyLog } from "./any-log.ts";
import { fullLog, sampleLog } from "./sample-log.ts";

test("the logs that transcripts are tried with fit the schema", () => {
  expect(RUN_LOG.safeParse(sampleLog()).error).toBeUndefined();
  expect(RUN_LOG.safeParse(fullLog()).error).toBeUndefined();
  fc.assert(
    fc.property(anyLog, (log) => {
      expect(RUN_LOG.safeParse(log).error).toBeUndefined();
    }),
  );
});
