// The shape of the house: rules between folders, no cycle between folders at any level, no name exported twice,
// tests on the paths of what they test, no folder that one cannot overlook.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { localBin, ROOT } from "./workspace.mjs";

const MAX_FILES_IN_FOLDER = 20;
const MAX_FILE_LINES = 300;
/** Folders of test/ that stand for no folder of src/. */
const OTHER_TESTS = new Set(["docs", "faults", "live", "program", "scripts", "support"]);

export function checkHouse() {
  const { modules, summary } = cruise();
  // A cruise that saw nothing also finds nothing wrong.
  if (summary.totalCruised < 50)
    fail([`only ${summary.totalCruised} modules were seen; the check itself is broken`]);
  const files = listFiles("src").filter((file) => file.endsWith(".ts"));
  const problems = [
    ...summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`),
    ...folderCycles(modules),
    ...doubleExports(files),
    ...crowdedFolders(files),
    ...longFiles(files),
    ...strayTests(),
  ];
  fail(problems);
  console.error(`  ${summary.totalCruised} modules, ${files.length} files of ours, no violation`);
}

function fail(problems) {
  if (problems.length === 0) return;
  for (const problem of problems) console.error(`  ${problem}`);
  console.error("✗ boundaries failed");
  process.exit(1);
}

function cruise() {
  const args = ["src", "--config", ".dependency-cruiser.cjs", "--output-type", "json"];
  const options = { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 };
  try {
    return JSON.parse(execFileSync(localBin("depcruise"), args, options));
  } catch (error) {
    // It ends with the number of violations and prints the report all the same; without one it is broken itself.
    if (!error.stdout) fail(["dependency-cruiser made no report"]);
    return JSON.parse(error.stdout);
  }
}

const listFiles = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));

/** Among the folders that lie in one folder, at every level, nobody needs himself by way of another. */
function folderCycles(modules) {
  const parents = new Set(["src"]);
  for (const { source } of modules)
    for (let up = dirname(source); up.startsWith("src/"); up = dirname(up)) parents.add(up);
  return [...parents].flatMap((parent) => cyclesBelow(parent, modules));
}

function cyclesBelow(parent, modules) {
  const childOf = (path) => {
    if (!path.startsWith(`${parent}/`)) return null;
    const [child, ...rest] = path.slice(parent.length + 1).split("/");
    return rest.length === 0 ? null : child;
  };
  const graph = new Map();
  for (const { source, dependencies } of modules) {
    const from = childOf(source);
    if (from === null) continue;
    const targets = graph.get(from) ?? graph.set(from, new Set()).get(from);
    for (const { resolved } of dependencies) {
      const to = childOf(resolved);
      if (to !== null && to !== from) targets.add(to);
    }
  }
  const reachable = (start) => {
    const seen = new Set();
    const rest = [...(graph.get(start) ?? [])];
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      rest.push(...(graph.get(next) ?? []));
    }
    return seen;
  };
  const inCycle = [...graph.keys()].filter((folder) => reachable(folder).has(folder));
  return inCycle.length === 0 ? [] : [`cycle below ${parent}: ${inCycle.join(", ")}`];
}

const EXPORTED =
  /^export (?:async )?(?:function\*?|const|class|interface|type|enum) ([A-Za-z0-9_$]+)/gm;

function doubleExports(files) {
  const homes = new Map();
  for (const file of files)
    for (const name of new Set(
      [...readFileSync(join(ROOT, file), "utf8").matchAll(EXPORTED)].map(([, name]) => name),
    ))
      homes.set(name, [...(homes.get(name) ?? []), file]);
  return [...homes]
    .filter(([, at]) => at.length > 1)
    .map(([name, at]) => `\`${name}\` is exported by ${at.join(" and ")}`);
}

const crowdedFolders = (files) =>
  [...Map.groupBy(files, dirname)]
    .filter(([, own]) => own.length > MAX_FILES_IN_FOLDER)
    .map(
      ([folder, own]) => `${folder} holds ${own.length} files, more than ${MAX_FILES_IN_FOLDER}`,
    );

const longFiles = (files) =>
  files
    .map((file) => [file, readFileSync(join(ROOT, file), "utf8").split("\n").length - 1])
    .filter(([, lines]) => lines > MAX_FILE_LINES)
    .map(([file, lines]) => `${file} has ${lines} lines: two things are in it`);

/** A test stands where what it tests stands. */
const strayTests = () =>
  [
    ...new Set(
      listFiles("test")
        .filter((file) => file.endsWith(".test.ts"))
        .map(dirname),
    ),
  ]
    .map((folder) => folder.split("/").slice(1))
    .filter(([top]) => top !== undefined && !OTHER_TESTS.has(top))
    .map((path) => path.join("/"))
    .filter((path) => !existsSync(join(ROOT, "src", path)))
    .map((path) => `test/${path} stands for no folder of src/`);
