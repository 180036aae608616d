// `adj bench import SOURCE [FOLDER]`: a youBencha test case, or tasks of Harbor and Terminal-Bench, as a suite.
import { existsSync, statSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { stringify } from "yaml";
import { loadAdapters } from "../../agents/roster.ts";
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { readText, refuseLinks } from "../../core/project/files.ts";
import { dropUndefined } from "../../core/project/json-value.ts";
import { parseYaml } from "../../core/project/yaml-file.ts";
import { convertHarbor, listHarborTasks } from "../import/harbor.ts";
import type { ImportedSuite } from "../import/imported-suite.ts";
import { convertYoubencha, promptPath } from "../import/youbencha.ts";
import { EVALUATOR_DEFINITION, YOUBENCHA_CASE } from "../import/youbencha-evaluators.ts";
import { checkBy } from "../suite/entries.ts";
import type { BenchArguments } from "./arguments.ts";
import { requireWord } from "./context.ts";

export async function importSuite(
  args: BenchArguments,
  { context, program }: BundledContext,
): Promise<CommandResult> {
  const source = resolve(
    context.workingDirectory,
    requireWord(args, "a test case or a task folder"),
  );
  const imported = await readSource(source);
  const folder = resolve(context.workingDirectory, args.words[1] ?? imported.name);
  const file = join(folder, "suite.yaml");
  if (existsSync(file))
    throw fault("InputInvalid", {
      what: "`bench import`",
      problem: `\`${file}\` is there already`,
    });
  for (const path of [
    "suite.yaml",
    ...Object.keys(imported.copies),
    ...Object.keys(imported.texts),
  ])
    refuseLinks(program.root, join(folder, path));
  await writeImported(imported, folder, file);
  const counted = `${imported.cases.length} ${imported.cases.length === 1 ? "case" : "cases"}`;
  const notes = imported.notes.map((note) => `note: ${note}`);
  return ok([`wrote ${file} with ${counted}`, ...notes].join("\n"), {
    file,
    cases: imported.cases.length,
    notes: imported.notes,
  });
}

async function readSource(source: string): Promise<ImportedSuite> {
  if (!existsSync(source))
    throw fault("InputInvalid", { what: `\`${source}\``, problem: "it does not exist" });
  if (!statSync(source).isDirectory()) return readYoubencha(source);
  const tasks = listHarborTasks(source);
  if (tasks.length > 0) return convertHarbor(tasks, basename(source));
  throw fault(
    "InputInvalid",
    { what: `\`${source}\``, problem: "no folder with a `task.toml`" },
    {
      hint: existsSync(join(source, "task.yaml"))
        ? "`task.yaml` is the older form of Terminal-Bench: bring it into Harbor's first"
        : "give a task folder, a folder of them, or a youBencha test case",
    },
  );
}

async function readYoubencha(file: string): Promise<ImportedSuite> {
  const yaml = parseYaml(await readFile(file, "utf8"), file);
  const given = checkBy(YOUBENCHA_CASE, yaml.value, yaml.at);
  const placeOf = (path: string): string => resolve(dirname(file), path);
  const readNamed = (path: string): string => {
    const text = readText(placeOf(path), placeOf(path));
    if (text === null)
      throw fault(
        "FileInvalid",
        { problem: "it does not exist" },
        { where: { file: placeOf(path) } },
      );
    return text;
  };
  const imported = convertYoubencha(given, {
    adapters: await loadAdapters(),
    readText: readNamed,
    readEvaluator: (path) => {
      const definition = parseYaml(readNamed(path), placeOf(path));
      return checkBy(EVALUATOR_DEFINITION, definition.value, definition.at);
    },
  });
  const promptFile = given.agent.config?.prompt_file;
  if (typeof promptFile !== "string") return imported;
  return {
    ...imported,
    texts: { ...imported.texts, [promptPath(promptFile)]: readNamed(promptFile) },
  };
}

async function writeImported(
  { texts, copies, ...imported }: ImportedSuite,
  folder: string,
  file: string,
): Promise<void> {
  for (const [path, from] of Object.entries(copies)) {
    if (!existsSync(from)) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(from, join(folder, path), { recursive: true, verbatimSymlinks: true });
  }
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await mkdir(folder, { recursive: true });
  const { name, description, variables = [], agents, cases, post } = imported;
  const suite = dropUndefined({
    name,
    description,
    variables: variables.length === 0 ? undefined : variables,
    agents,
    cases,
    post: post.length === 0 ? undefined : post,
  });
  await writeFile(file, stringify(suite), { flag: "wx" });
}
