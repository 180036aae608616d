// What an editor needs to complete and check the files that `adj init` writes: their schemas beside them, and the line that
// names one. Beside them, for a path of this machine would lead nowhere on another's, and a clone works without a network.
import { basename, join, parse } from "node:path";
import { readText, replaceFile } from "../../core/project/files.ts";
import { LAYER_FOLDER } from "../../core/project/paths.ts";

export interface SchemaAct {
  readonly kind: "schema";
  readonly file: string;
  readonly text: string;
}

const FOLDER = "schemas";
const DESCRIBED = ["commands.yaml", "hooks.yaml"] as const;

const nameOf = (file: string): string => `${parse(file).name}.schema.json`;

/** Those that are missing or older, for the files that are there then. */
export async function planSchemas(
  root: string,
  files: ReadonlySet<string>,
): Promise<readonly SchemaAct[]> {
  const { commandsJsonSchema } = await import("../../core/load/commands-yaml.ts");
  const { hooksJsonSchema } = await import("../../hooks/pipeline/schema.ts");
  const schemas = { "commands.yaml": commandsJsonSchema, "hooks.yaml": hooksJsonSchema };
  const folder = join(root, LAYER_FOLDER);
  const acts: SchemaAct[] = [];
  for (const name of DESCRIBED) {
    const described = join(folder, name);
    const isNamed = readText(described)?.startsWith(schemaLine(described)) ?? false;
    if (!files.has(described) && !isNamed) continue;
    const file = join(folder, FOLDER, nameOf(name));
    // In one line: who looks at what is to be trusted is not shown hundreds of them.
    const text = `${JSON.stringify(await schemas[name]())}\n`;
    if (readText(file) !== text) acts.push({ kind: "schema", file, text });
  }
  return acts;
}

/** The file that a schema is for. */
export const describedBy = (schema: string, root: string): string =>
  join(root, LAYER_FOLDER, DESCRIBED.find((name) => nameOf(name) === basename(schema)) ?? "");

export const isDescribed = (file: string, root: string): boolean =>
  DESCRIBED.some((name) => file === join(root, LAYER_FOLDER, name));

/** As the YAML server of most editors reads it. */
const schemaLine = (file: string): string =>
  `# yaml-language-server: $schema=./${FOLDER}/${nameOf(basename(file))}\n`;

/** For a file that was just made; one of a person's own stays as it is. */
export function addSchemaLine(file: string): void {
  replaceFile(file, `${schemaLine(file)}${readText(file) ?? ""}`, 0o644);
}
