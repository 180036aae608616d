import { readFile } from "node:fs/promises";
import { fault } from "../command/fault.ts";
import { problemOf } from "../config/file-problem.ts";
import { describeIssues } from "../config/schema-problem.ts";
import { parseYaml } from "../config/yaml-file.ts";
import { type Scenario, scenarioSchema } from "./scenario.ts";

/** Reads a scenario file; what is wrong with it is a fault with its place in the file. */
export async function loadScenario(path: string): Promise<Scenario> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw fault(
      "FileInvalid",
      { problem: `the scenario cannot be read: ${problemOf(cause)}` },
      { where: { file: path }, cause },
    );
  });
  return parseScenario(text, path);
}

/** `file` is only what messages call it. */
export function parseScenario(text: string, file: string): Scenario {
  const yaml = parseYaml(text, file);
  const checked = scenarioSchema.safeParse(yaml.value, { reportInput: true });
  if (checked.success) return checked.data;
  const problem = describeIssues(checked.error.issues, scenarioSchema);
  throw fault(
    "FileInvalid",
    { problem: problem.message },
    {
      where: yaml.at(problem.path, problem.part),
      ...(problem.hint === null ? {} : { hint: problem.hint }),
    },
  );
}
