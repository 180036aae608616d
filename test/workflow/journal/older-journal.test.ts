import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createRun, parallel, type TestScript } from "../engine/scripted-run.ts";

const RUN = "wf_of_before";

/** Of three calls one was cut off, one is to run again. */
const DUMP = readFileSync(join(import.meta.dirname, "fixtures/workflow-v1.sql"), "utf8");

const three: TestScript = ({ agent }) =>
  parallel(["a", "b", "c"].map((name) => () => agent(name, {}, name)));

test("a run in a journal of the first version is resumed with what was requested there", async () => {
  const folder = temporaryFolder();
  const before = new DatabaseSync(join(folder, "workflow.db"));
  before.exec(DUMP);
  before.close();

  const { journal, billed, execute } = createRun(folder);
  expect(journal.listRequested(RUN)).toMatchObject([{ number: 3, requested: "retry" }]);
  expect(await execute(three, { runId: RUN })).toMatchObject({
    kind: "done",
    result: ["a", "answer to b", "answer to c"],
  });
  expect(billed.toSorted()).toEqual(["b", "c"]);
  expect(journal.listRequested(RUN)).toEqual([]);
});
