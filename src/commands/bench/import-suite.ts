// `adj bench import SOURCE [FOLDER]`: a youBencha test case, or tasks of Harbor and Terminal-Bench, as a suite.
import { existsSync, statSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { stringify } from "yaml";
import { convertHarbor, listHarborTasks } from "../../bench/import/harbor.ts";
import type { ImportedSuite } from "../../bench/import/imported-suite.ts";
import { convertYoubencha, promptPlace } from "../../bench/import/youbencha.ts";
import { EVALUATOR_DEFINITION, YOUBENCHA_CASE } from "../../bench/import/youbencha-schema.ts";
import { checkBy } from "../../bench/suite-file/placed-entry.ts";
import { fault } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { problemOf } from "../../config/file-problem.ts";
import { readText } from "../../config/read-text.ts";
import { parseYaml } from "../../config/yaml-file.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { requireWord } from "./require-word.ts";

export async function importSuite(
  args: BenchArguments,
  { context }: BenchPlace,
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
  if (tasks.length === 0)
    throw fault(
      "InputInvalid",
      { what: `\`${source}\``, problem: "no folder with `task.toml` and `instruction.md`" },
      { hint: "give a task folder, a folder of them, or a youBencha test case" },
    );
  try {
    return convertHarbor(tasks, basename(source));
  } catch (error) {
    throw fault(
      "FileInvalid",
      { problem: `a \`task.toml\` cannot be read: ${problemOf(error)}` },
      { where: { file: source }, cause: error },
    );
  }
}

async function readYoubencha(file: string): Promise<ImportedSuite> {
  const yaml = parseYaml(await readFile(file, "utf8"), file);
  const given = checkBy(YOUBENCHA_CASE, yaml.value, yaml.at);
  const imported = convertYoubencha(given, (path) => {
    const named = resolve(dirname(file), path);
    const text = readText(named, named);
    if (text === null)
      throw fault("FileInvalid", { problem: "it does not exist" }, { where: { file: named } });
    const definition = parseYaml(text, named);
    return checkBy(EVALUATOR_DEFINITION, definition.value, definition.at);
  });
  const promptFile = given.agent.config?.prompt_file;
  if (typeof promptFile !== "string") return imported;
  return { ...imported, copies: { [promptPlace(promptFile)]: resolve(dirname(file), promptFile) } };
}

async function writeImported(
  { name, agents, cases, post, texts, copies }: ImportedSuite,
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
  const suite = { name, agents, cases, ...(post.length === 0 ? {} : { post }) };
  await writeFile(file, stringify(suite), { flag: "wx" });
}
