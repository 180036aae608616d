// Writes docs/reference/: JSON Schemas of what users read and write, made from the schemas that check it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { enterWorkspace, ROOT } from "./workspace.mjs";

/** File name → text. A test compares them with what is there. */
export async function makeReference() {
  const { settingsJsonSchema } = await import("../src/core/project/settings-schema.ts");
  const { runLogJsonSchema } = await import("../src/agents/log/run-log.ts");
  const { cassetteJsonSchema } = await import("../src/agents/replay/cassette.ts");
  const { hooksJsonSchema } = await import("../src/hooks/pipeline/schema.ts");
  const { suiteJsonSchema } = await import("../src/bench/evaluators/suite-json-schema.ts");
  const { workflowJsonSchema } = await import("../src/workflow/definition/stage-schema.ts");
  const schemas = {
    "cassette.schema.json": cassetteJsonSchema(),
    "config.schema.json": settingsJsonSchema(),
    "hooks.schema.json": hooksJsonSchema(),
    "run-log.schema.json": runLogJsonSchema(),
    "suite.schema.json": suiteJsonSchema(),
    "workflow.schema.json": workflowJsonSchema(),
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([file, schema]) => [file, `${JSON.stringify(schema, null, 2)}\n`]),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  enterWorkspace();
  const folder = join(ROOT, "docs", "reference");
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(await makeReference()))
    writeFileSync(join(folder, file), text);
}
