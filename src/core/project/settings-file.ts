// Reads `config.yaml`. Loads zod and yaml: on the start-up path the compiled index stands in for it.
import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Document, isMap, parseDocument } from "yaml";
import * as z from "zod/mini";
import type { JsonValue } from "../command/context.ts";
import { Fault, fault, formatWhere } from "../command/fault.ts";
import { quoteNames } from "../command/names.ts";
import { parseDuration } from "../command/time.ts";
import { escapeLine } from "../command/words.ts";
import {
  describeFileError,
  fileErrorCode,
  makeFolder,
  readText,
  refuseLinks,
  replaceFile,
} from "./files.ts";
import { checkForm } from "./schema-problem.ts";
import {
  type AgentWords,
  nearestByWords,
  type SettingsFile,
  type SettingsScope,
} from "./settings.ts";
import { parseYaml, type YamlFile } from "./yaml-file.ts";

interface SettingsSource {
  readonly file: string;
  readonly scope: SettingsScope;
  /** The agents that it may name; without them any name will do. */
  readonly agentWords?: AgentWords | undefined;
}

/** Throws `FileInvalid` with the place of the first problem. */
export function parseSettings(text: string, source: SettingsSource): SettingsFile {
  const yaml = parseYaml(text, source.file);
  // An empty file, or one that is all comments.
  const value = yaml.value ?? {};
  refuseForeignKeys(yaml, source.scope);
  const settings = checkForm(value, SETTINGS_SCHEMA, yaml.at);
  return requireAgents(settings, yaml, source.agentWords);
}

const FOREIGN_KEYS = {
  user: [
    {
      key: "requires_plugins",
      problem: "`requires_plugins` belongs to a project",
      hint: "enable a plugin for yourself with `plugins`",
    },
  ],
  project: [
    {
      key: "plugins",
      problem: "a project cannot enable `plugins`",
      hint: "name what it needs in `requires_plugins`; each user enables plugins in the user's own `config.yaml`",
    },
    {
      key: "inbox",
      problem: "a project cannot set `inbox`",
      hint: "each user does in the user's own `config.yaml`",
    },
  ],
} as const;

function refuseForeignKeys(yaml: YamlFile, scope: SettingsScope): void {
  const { value } = yaml;
  if (typeof value !== "object" || value === null) return;
  for (const { key, problem, hint } of FOREIGN_KEYS[scope])
    if (Object.hasOwn(value, key))
      throw fault("FileInvalid", { problem }, { where: yaml.at([key], "key"), hint });
}

/** An agent that nobody knows would count for nothing without a word. Paths are kept by the agents' own names. */
function requireAgents(file: SettingsFile, yaml: YamlFile, words?: AgentWords): SettingsFile {
  if (words === undefined) return file;
  const requireName = (word: string, path: readonly string[], part: "key" | "value"): string => {
    if (Object.hasOwn(words, word)) return words[word] ?? word;
    const facts = { agent: word, suggestions: nearestByWords(word, words) };
    const where = yaml.at(path, part);
    if (facts.suggestions.length > 0) throw fault("AgentUnknown", facts, { where });
    // `adj agent list` goes by these settings, too.
    const known = quoteNames(new Set(Object.values(words)));
    throw fault("AgentUnknown", facts, { where, hint: `known are ${known}` });
  };
  if (file.agent !== undefined) requireName(file.agent, ["agent"], "value");
  const paths = Object.entries(file.agents ?? {});
  const named = paths.map(([word, path]) => [requireName(word, ["agents", word], "key"), path]);
  return file.agents === undefined ? file : { ...file, agents: Object.fromEntries(named) };
}

/**
 * Sets one value, or removes it when `value` is undefined; comments and order stay as they are.
 * A result that would not be valid settings is refused and nothing is written. False where there was nothing to remove.
 */
export function editSettings(
  source: SettingsSource,
  path: readonly string[],
  value: JsonValue | undefined,
): boolean {
  if (source.scope === "project") refuseLinks(dirname(dirname(source.file)), source.file);
  const before = readText(source.file) ?? "";
  // A broken file is reported as it stands, before anything is changed in it; a wrong agent can be mended by this.
  parseSettings(before, { file: source.file, scope: source.scope });
  if (value === undefined && !parseDocument(before).hasIn(path)) return false;
  const after = changeText(before, path, value);
  const problem = findProblem(after, source);
  if (problem !== null) {
    // What was wrong before stands at its place in the file; a value that is refused stands nowhere.
    const earlier = findProblem(before, source);
    const isOld = earlier !== null && wordsOf(earlier) === wordsOf(problem);
    throw value === undefined || isOld ? problem : refuseValue(path, value, problem);
  }
  writeSettings(source, after);
  return true;
}

function findProblem(text: string, source: SettingsSource): Fault | null {
  try {
    parseSettings(text, source);
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error;
  }
}

/** The message of a fault without the place that begins it. */
const wordsOf = ({ where, message }: Fault): string =>
  where === null ? message : message.slice(`${formatWhere(where)}: `.length);

function refuseValue(path: readonly string[], value: JsonValue, problem: Fault): Fault {
  const { code, facts, hint } = problem;
  const shown = typeof value === "string" && value !== "" ? value : JSON.stringify(value);
  const problemLine = `\`${path.join(".")}: ${escapeLine(shown)}\`: ${wordsOf(problem)}`;
  return new Fault(code, facts, problemLine, { ...(hint !== null && { hint }), cause: problem });
}

function changeText(text: string, path: readonly string[], value: JsonValue | undefined): string {
  const document: Document = parseDocument(text);
  // Comments of a file that has nothing else belong to the document and stay.
  if (!isMap(document.contents)) document.contents = document.createNode({});
  for (let depth = 1; depth < path.length; depth++) {
    const above = path.slice(0, depth);
    if (document.hasIn(above) && !isMap(document.getIn(above))) throw refuseSingleValue(above);
  }
  if (value === undefined) document.deleteIn(path);
  // A plain value goes into the node that is there, which holds the comment beside it.
  else document.setIn(path, typeof value === "object" ? document.createNode(value) : value);
  return document.toString({ lineWidth: 0 });
}

const refuseSingleValue = (path: readonly string[]) =>
  fault("InputInvalid", {
    what: `\`${path.join(".")}\``,
    problem: "it is a single value, not a map",
  });

function writeSettings({ file, scope }: SettingsSource, text: string): void {
  // A project's is for all who work on it, like its other files.
  const isShared = scope === "project";
  try {
    if (isShared) makeFolder(dirname(file));
    // Through a link, so that settings kept elsewhere stay there.
    const target = resolveLink(file);
    const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? (isShared ? 0o644 : 0o600);
    replaceFile(target, text, mode);
  } catch (error) {
    throw fault(
      "StoreUnavailable",
      { path: file, problem: describeFileError(error) },
      { cause: error },
    );
  }
}

function resolveLink(file: string): string {
  try {
    return realpathSync.native(file);
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return file;
    throw error;
  }
}

const text = z.string().check(z.minLength(1));

// What npm takes for a name; anything else could lead out of `node_modules`.
const PACKAGE = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const packages = z.array(
  z.string().check(z.refine((name) => PACKAGE.test(name), "is not the name of an npm package")),
);

const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);
const paramPath = z
  .string()
  .check(
    z.refine(
      (path) => path !== "" && !path.split(".").some((step) => FORBIDDEN.has(step)),
      "is not a name for a parameter",
    ),
  );

const programPath = z
  .string()
  .check(
    z.refine(
      (path) => path.startsWith("/") || path.startsWith("~/") || /^[^/\\]+$/.test(path),
      "must be an absolute path, begin with `~/`, or be a bare program name",
    ),
  );

/** A bare number is the usual mistake, so its type is not what is complained about. */
const duration = z
  .custom<string>(
    (value) => typeof value === "string" && parseDuration(value) !== null,
    "must be a duration such as `30s` or `5m`",
  )
  .check(z.meta({ type: "string", examples: ["30s", "5m"] }));

/** The closed list of keys of `config.yaml`. */
export const SETTINGS_SCHEMA = z.strictObject({
  adjutant: z.optional(z.literal(1)),
  agent: z.optional(text),
  model: z.optional(text),
  params: z.optional(z.record(paramPath, z.json())),
  plugins: z.optional(packages),
  requires_plugins: z.optional(packages),
  prefix: z.optional(
    z
      .string()
      .check(
        z.refine(
          (prefix) => /^[a-z][a-z0-9-]{0,15}$/.test(prefix),
          "must be small letters, digits and dashes, beginning with a letter, at most 16",
        ),
      ),
  ),
  agents: z.optional(z.record(text, z.strictObject({ path: programPath }))),
  mode: z.optional(z.enum(["ask", "allowlist", "auto"])),
  allow: z.optional(z.array(z.union([text, z.record(z.string(), z.json())]))),
  inbox: z.optional(z.strictObject({ hold: z.optional(duration) })),
  commands: z.optional(z.record(text, z.record(text, z.json()))),
  import_hosts: z.optional(z.array(text)),
});
