// Reads `config.yaml`. Loads zod and yaml: on the start-up path the compiled index stands in for it.
import { fault } from "../command/fault.ts";
import { readText } from "./read-text.ts";
import { describeIssues } from "./schema-problem.ts";
import { mergeSettings, type Settings, type SettingsFile, type SettingsScope } from "./settings.ts";
import { SETTINGS_SCHEMA } from "./settings-schema.ts";
import { parseYaml, type YamlFile } from "./yaml-file.ts";

export interface SettingsSource {
  readonly file: string;
  readonly scope: SettingsScope;
}

/** Both files by their paths; one that is not there says nothing. */
export function readSettings(userFile: string, projectFile: string | null): Settings {
  return mergeSettings(
    readSettingsFile({ file: userFile, scope: "user" }),
    projectFile === null ? {} : readSettingsFile({ file: projectFile, scope: "project" }),
  );
}

function readSettingsFile(source: SettingsSource): SettingsFile {
  const text = readText(source.file);
  return text === null ? {} : parseSettings(text, source);
}

/** Throws `FileInvalid` with the place of the first problem. */
export function parseSettings(text: string, source: SettingsSource): SettingsFile {
  const yaml = parseYaml(text, source.file);
  // An empty file, or one that is all comments.
  const value = yaml.value ?? {};
  refuseForeignKeys(yaml, source.scope);
  const checked = SETTINGS_SCHEMA.safeParse(value, { reportInput: true });
  if (checked.success) return checked.data;
  const problem = describeIssues(checked.error.issues, SETTINGS_SCHEMA);
  throw fault(
    "FileInvalid",
    { problem: problem.message },
    {
      where: yaml.at(problem.path, problem.part),
      ...(problem.hint === null ? {} : { hint: problem.hint }),
    },
  );
}

const FOREIGN = {
  user: {
    key: "requires_plugins",
    problem: "`requires_plugins` belongs to a project",
    hint: "enable a plugin for yourself with `plugins`",
  },
  project: {
    key: "plugins",
    problem: "a project cannot enable `plugins`",
    hint: "name what it needs in `requires_plugins`; each user enables plugins in the user's own `config.yaml`",
  },
} as const;

function refuseForeignKeys(yaml: YamlFile, scope: SettingsScope): void {
  const { key, problem, hint } = FOREIGN[scope];
  if (typeof yaml.value === "object" && yaml.value !== null && Object.hasOwn(yaml.value, key))
    throw fault("FileInvalid", { problem }, { where: yaml.at([key], "key"), hint });
}
