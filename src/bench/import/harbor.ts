// A task folder of Harbor or Terminal-Bench (`task.toml`, `instruction.md`, `tests/`, `solution/`) → a case.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "smol-toml";
import * as z from "zod/mini";
import { dropAbsent, type ImportedSuite, idFrom } from "./imported-suite.ts";

const seconds = z.optional(z.number().check(z.positive()));
const TASK = z.object({
  task: z.optional(z.object({ name: z.optional(z.string()) })),
  metadata: z.optional(
    z.object({
      tags: z.optional(z.array(z.string())),
      category: z.optional(z.string()),
      difficulty: z.optional(z.string()),
    }),
  ),
  agent: z.optional(z.object({ timeout_sec: seconds })),
  verifier: z.optional(z.object({ timeout_sec: seconds })),
  environment: z.optional(z.object({ docker_image: z.optional(z.string()) })),
});
type Task = z.infer<typeof TASK>;

export const isHarborTask = (folder: string): boolean =>
  existsSync(join(folder, "task.toml")) && existsSync(join(folder, "instruction.md"));

/** A task, or a folder of tasks. */
export function listHarborTasks(folder: string): string[] {
  if (isHarborTask(folder)) return [folder];
  return readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name))
    .filter(isHarborTask);
}

/** Throws where a `task.toml` is not what it should be. */
export function convertHarbor(folders: readonly string[], name: string): ImportedSuite {
  const tasks = folders.map((folder) => convertTask(folder));
  return {
    name: idFrom(name),
    agents: [{ agent: "claude-code" }],
    cases: tasks.map(({ entry }) => entry),
    post: [],
    texts: {},
    copies: Object.assign({}, ...tasks.map(({ copies }) => copies)),
    notes: [
      ...tasks.flatMap(({ entry, lacks }) =>
        lacks === null ? [] : [`case \`${String(entry.id)}\` is not run: ${lacks}`],
      ),
      "the tasks name no agent: claude-code stands in the suite for those to compare",
    ],
  };
}

function convertTask(folder: string) {
  const task = TASK.parse(parse(readFileSync(join(folder, "task.toml"), "utf8")));
  const id = idFrom(task.task?.name?.split("/").at(-1) ?? basename(folder));
  const lacks = findLack(folder, task);
  const place = `cases/${id}`;
  const has = (path: string): boolean => existsSync(join(folder, path));
  const solution = has("solution/solve.sh") ? `${place}/solution/solve.sh` : undefined;
  const entry = dropAbsent({
    id,
    tags: listTags(task),
    workspace: has("environment") ? { template: `${place}/environment` } : undefined,
    prompt_file: `${place}/instruction.md`,
    evaluators: [{ run: describeTests(task, place) }],
    solution,
    timeout: inSeconds(task.agent?.timeout_sec),
    unsupported: lacks ?? undefined,
  });
  const copied = ["instruction.md", "environment", "solution"].filter(has);
  const copies = Object.fromEntries([
    ...copied.map((path) => [`${place}/${path}`, join(folder, path)]),
    // Laid over the workspace when the agent is gone: it never saw them.
    [`${place}/grading/tests`, join(folder, "tests")],
  ]);
  return { entry, copies, lacks };
}

const describeTests = (task: Task, place: string): Record<string, unknown> =>
  dropAbsent({
    command: "bash tests/test.sh",
    files: `${place}/grading`,
    timeout: inSeconds(task.verifier?.timeout_sec),
  });

const inSeconds = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : `${Math.round(value * 1_000)}ms`;

function listTags({ metadata }: Task): string[] | undefined {
  const { tags = [], category, difficulty } = metadata ?? {};
  const all = [...tags, category, difficulty].filter((tag) => tag !== undefined && tag !== "");
  return all.length === 0 ? undefined : [...new Set(all.map(String))];
}

/** Places of the container that such a task is at home in. */
const CONTAINER_PATH = /(^|[\s"'=])\/(app|logs|tests|workspace|solution|oracle)\b/m;

/** Why it cannot run in a plain folder; null where it can. */
function findLack(folder: string, { environment }: Task): string | null {
  if (environment?.docker_image !== undefined) return "it needs a container";
  const files = ["Dockerfile", "docker-compose.yaml", "docker-compose.yml"];
  const recipe = files.find((name) => existsSync(join(folder, "environment", name)));
  if (recipe !== undefined) return `it needs a container: environment/${recipe}`;
  const script = ["tests/test.sh", "solution/solve.sh"].find((path) => {
    const file = join(folder, path);
    return existsSync(file) && CONTAINER_PATH.test(readFileSync(file, "utf8"));
  });
  if (script !== undefined) return `it needs a container: ${script} names places of one`;
  return existsSync(join(folder, "tests", "test.sh")) ? null : "it has no tests/test.sh";
}
