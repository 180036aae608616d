// Writes docs/reference/: JSON Schemas of what users read and write, made from the schemas that check it, and the man page.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeManPage } from "./man-page.mjs";
import { enterWorkspace, ROOT } from "./workspace.mjs";

/** File name → text. A test compares them with what is there. */
export async function makeReference() {
  const { SETTINGS_SCHEMA } = await import("../src/core/project/settings-file.ts");
  const { describeFile } = await import("../src/core/load/file-schema.ts");
  const { runLogJsonSchema } = await import("../src/agents/log/run-log.ts");
  const { cassetteJsonSchema } = await import("../src/agents/replay/cassette.ts");
  const { commandsJsonSchema } = await import("../src/core/load/commands-yaml.ts");
  const { hooksJsonSchema } = await import("../src/hooks/pipeline/schema.ts");
  const { suiteJsonSchema } = await import("../src/bench/evaluators/suite-json-schema.ts");
  const { workflowJsonSchema } = await import("../src/workflow/definition/stage-schema.ts");
  const schemas = {
    "cassette.schema.json": cassetteJsonSchema(),
    "commands.schema.json": await commandsJsonSchema(),
    "config.schema.json": describeFile(SETTINGS_SCHEMA),
    "hooks.schema.json": await hooksJsonSchema(),
    "run-log.schema.json": runLogJsonSchema(),
    "suite.schema.json": suiteJsonSchema(),
    "workflow.schema.json": workflowJsonSchema(),
  };
  const files = Object.entries(schemas).map(([file, schema]) => [
    file,
    `${JSON.stringify(schema, null, 2)}\n`,
  ]);
  return Object.fromEntries([["adj.1", await makeManPage()], ...files]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  enterWorkspace();
  const folder = join(ROOT, "docs", "reference");
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(await makeReference()))
    writeFileSync(join(folder, file), text);
}
