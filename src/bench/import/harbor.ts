// A task folder of Harbor or Terminal-Bench (`task.toml`, `instruction.md`, `tests/`, `solution/`) → a case.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parse, TomlError } from "smol-toml";
import * as z from "zod/mini";
import { dropUndefined } from "../../core/project/json-value.ts";
import { fileFault } from "../../core/project/schema-problem.ts";
import { checkBy } from "../suite/entries.ts";
import { type ImportedSuite, idFrom, uniqueId } from "./imported-suite.ts";

const seconds = z.optional(z.number().check(z.positive()));
const environment = z.optional(z.record(z.string(), z.unknown()));
const TASK = z.object({
  task: z.optional(
    z.object({ name: z.optional(z.string()), keywords: z.optional(z.array(z.string())) }),
  ),
  metadata: z.optional(
    z.object({
      tags: z.optional(z.array(z.string())),
      category: z.optional(z.string()),
      difficulty: z.optional(z.string()),
    }),
  ),
  agent: z.optional(z.object({ timeout_sec: seconds })),
  verifier: z.optional(z.object({ timeout_sec: seconds, env: environment })),
  environment: z.optional(z.object({ docker_image: z.optional(z.string()), env: environment })),
  /** Of a task with an instruction and tests for each. */
  steps: z.optional(z.array(z.unknown())),
});
type Task = z.infer<typeof TASK>;

const isTask = (folder: string): boolean => existsSync(join(folder, "task.toml"));

const MAX_DEPTH = 6;

/** A task, or all that are in a folder or below it. */
export function listHarborTasks(folder: string, depth = 0): string[] {
  if (isTask(folder)) return [folder];
  if (depth === MAX_DEPTH) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => join(folder, name))
    .toSorted()
    .flatMap((inner) => listHarborTasks(inner, depth + 1));
}

/** Throws a fault where a `task.toml` is not what it should be. */
export function convertHarbor(folders: readonly string[], name: string): ImportedSuite {
  const ids = new Set<string>();
  const tasks = folders.map((folder) => convertTask(folder, ids));
  return {
    name: idFrom(name),
    agents: [{ agent: "claude-code" }],
    cases: tasks.map(({ entry }) => entry),
    post: [],
    texts: {},
    copies: Object.assign({}, ...tasks.map(({ copies }) => copies)),
    notes: [
      ...tasks.flatMap(({ notes }) => notes),
      "the tasks name no agent: claude-code stands in the suite for those to compare",
    ],
  };
}

function readTask(folder: string): Task {
  const file = join(folder, "task.toml");
  try {
    return checkBy(TASK, parse(readFileSync(file, "utf8")), () => ({ file }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [problem = ""] = error.message.split("\n");
    throw fileFault(problem.replace(/^Invalid TOML document: /, "not TOML: "), {
      file,
      line: error.line,
      column: error.column,
    });
  }
}

function convertTask(folder: string, ids: Set<string>) {
  const task = readTask(folder);
  const id = uniqueId(task.task?.name?.split("/").at(-1) ?? basename(folder), ids);
  const lacks = findLack(folder, task);
  const target = `cases/${id}`;
  const has = (path: string): boolean => existsSync(join(folder, path));
  const entry = dropUndefined({
    id,
    tags: listTags(task),
    workspace: has("environment") ? { template: `${target}/environment` } : undefined,
    ...(has("instruction.md")
      ? { prompt_file: `${target}/instruction.md` }
      : { prompt: "see the steps of the task" }),
    evaluators: has("tests") ? [{ run: describeTests(task, target) }] : undefined,
    solution: has("solution/solve.sh") ? `${target}/solution/solve.sh` : undefined,
    timeout: inSeconds(task.agent?.timeout_sec),
    unsupported: lacks ?? undefined,
  });
  const copied = ["instruction.md", "environment", "solution"].filter(has);
  const copies = Object.fromEntries([
    ...copied.map((path) => [`${target}/${path}`, join(folder, path)]),
    // Laid over the workspace when the agent is gone: it never saw them.
    ...(has("tests") ? [[`${target}/grading/tests`, join(folder, "tests")]] : []),
  ]);
  return { entry, copies, notes: describeLosses(id, task, lacks) };
}

function describeLosses(id: string, { verifier, environment }: Task, lacks: string | null) {
  if (lacks !== null) return [`case \`${id}\` is not run: ${lacks}`];
  const names = Object.keys({ ...environment?.env, ...verifier?.env });
  return names.length === 0
    ? []
    : [`case \`${id}\`: ${names.join(", ")} would be set there; put what it needs into \`env\``];
}

/** Why it cannot be run; null where it can. */
function findLack(folder: string, { environment, steps = [] }: Task): string | null {
  if (steps.length > 0) return "it has several steps";
  if (!existsSync(join(folder, "instruction.md"))) return "it has no instruction.md";
  const container = findContainer(folder, environment?.docker_image);
  if (container !== null) return container;
  return existsSync(join(folder, "tests", "test.sh")) ? null : "it has no tests/test.sh";
}

const describeTests = (task: Task, target: string): Record<string, unknown> =>
  dropUndefined({
    command: "bash tests/test.sh",
    files: `${target}/grading`,
    timeout: inSeconds(task.verifier?.timeout_sec),
  });

const inSeconds = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : `${Math.round(value * 1_000)}ms`;

function listTags({ metadata, task }: Task): string[] | undefined {
  const { tags = [], category, difficulty } = metadata ?? {};
  const all = [...tags, ...(task?.keywords ?? []), category, difficulty].filter(
    (tag) => tag !== undefined && tag !== "",
  );
  return all.length === 0 ? undefined : [...new Set(all.map(String))];
}

// Whether a task is at home in a container. Nearly all are; the others can run in a plain folder.

/** Places of such a container, not part of a longer path. */
const CONTAINER_PATH = /(^|[^\w./}$-])\/(app|logs|tests|workspace|solution|oracle)\b/m;
const RECIPES = ["Dockerfile", "docker-compose.yaml", "docker-compose.yml"];
const MAX_TEXT_BYTES = 1_000_000;

/** Why it cannot run in a plain folder; null where it can. */
function findContainer(folder: string, image: string | undefined): string | null {
  if (image !== undefined) return `it needs a container: the image ${image}`;
  const recipe = RECIPES.find((name) => existsSync(join(folder, "environment", name)));
  if (recipe !== undefined) return `it needs a container: environment/${recipe}`;
  const named = ["instruction.md", ...listBelow(folder, "tests"), ...listBelow(folder, "solution")];
  const text = named.find((path) => namesContainer(join(folder, path)));
  return text === undefined ? null : `it needs a container: ${text} names places of one`;
}

const listBelow = (folder: string, name: string): string[] =>
  existsSync(join(folder, name))
    ? readdirSync(join(folder, name), { recursive: true, encoding: "utf8" })
        .toSorted()
        .map((path) => `${name}/${path}`)
    : [];

function namesContainer(file: string): boolean {
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts?.isFile() !== true || facts.size > MAX_TEXT_BYTES) return false;
  return CONTAINER_PATH.test(readFileSync(file, "utf8"));
}
