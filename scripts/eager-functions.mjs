// Which functions V8 compiles when it reads a file. It compiles the others when they are first called, and Node's compile
// cache holds what was compiled by the reading alone: each start compiled anew all that it calls. A function in parentheses
// is compiled at once (V8 13.6). So the build runs the commonest starts, and puts what they call into parentheses.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseAst } from "rolldown/parseAst";

const payloadIn = (cwd) =>
  JSON.stringify({
    session_id: "build",
    transcript_path: join(cwd, "transcript.jsonl"),
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "build",
  });

const GREET = `export default { description: "Greet", safety: "read_only", run: () =>
  ({ success: true, output: "hello", errorOutput: null, exitCode: 0, metadata: null }) };\n`;

const STARTS = [["hook", "claude-code"], ["commands"], ["model"], ["env"], ["greet"]];

/** The same files; what the commonest starts call is compiled with the file that it is in. */
export function compileCalledEagerly(files) {
  const folder = mkdtempSync(join(tmpdir(), "adjutant-build-"));
  try {
    const called = findCalled(files, folder);
    return files.map(([name, code]) => {
      const places = called.get(name);
      return [name, places === undefined ? code : writeEager(code, (place) => places.has(place))];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By file: where the functions begin and end that were called. */
function findCalled(files, folder) {
  const dist = join(folder, "dist");
  const coverage = join(folder, "coverage");
  const commands = join(folder, "config", "commands");
  for (const each of [dist, coverage, commands]) mkdirSync(each, { recursive: true });
  for (const [name, code] of files) writeFileSync(join(dist, name), code);
  writeFileSync(join(commands, "greet.js"), GREET);
  // The first time makes the index and the database, which is not what most starts do.
  for (const words of STARTS) runStart(folder, words, {});
  for (const words of STARTS) runStart(folder, words, { NODE_V8_COVERAGE: coverage });
  const called = new Map();
  for (const file of readdirSync(coverage))
    for (const { url, functions } of JSON.parse(readFileSync(join(coverage, file), "utf8")).result)
      if (url.startsWith(pathToFileURL(dist).href)) addCalled(called, basename(url), functions);
  return called;
}

/** Under an environment of its own: what is built does not depend on who builds. */
function runStart(folder, words, more) {
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: folder,
    ADJ_CONFIG_DIR: join(folder, "config"),
    ADJ_STATE_DIR: join(folder, "state"),
    ADJ_RESIDENT: "off",
    ...more,
  };
  const entry = join(folder, "dist", "adj.cjs");
  const input = words[0] === "hook" ? payloadIn(folder) : "";
  const options = { cwd: folder, env, input, encoding: "utf8" };
  const { status, stderr } = spawnSync(process.execPath, [entry, ...words], options);
  if (status !== 0) throw new Error(`adj ${words.join(" ")} ended with ${status}: ${stderr}`);
}

function addCalled(called, name, functions) {
  const places = called.get(name) ?? new Set();
  called.set(name, places);
  for (const { ranges } of functions)
    if (ranges[0].count > 0) places.add(`${ranges[0].startOffset}-${ranges[0].endOffset}`);
}

/**
 * Declarations of the file itself become variables at its beginning, where they were all along for those who call them.
 * What has no place for parentheses, like a method, stays as it is.
 */
export function writeEager(code, isCalled) {
  const edits = [];
  const moved = [];
  for (const { node, isTop } of listFunctions(parseAst(code))) {
    const { type, start, end, id } = node;
    if (!isCalled(`${start}-${end}`)) continue;
    if (type !== "FunctionDeclaration") edits.push([start, start, "("], [end, end, ")"]);
    else if (isTop) {
      moved.push(node);
      // Without a name of its own it has that of its variable, and the variable is what its code refers to by it.
      edits.push([id.start, id.end, ""]);
    }
  }
  edits.sort(([a], [b]) => a - b);
  const functions = moved.map(
    ({ start, end, id }) => `${id.name}=(${edit(code, edits, start, end)})`,
  );
  const rest = moved.map(({ end }, at) =>
    edit(code, edits, end, moved[at + 1]?.start ?? code.length),
  );
  const first = edit(code, edits, 0, moved[0]?.start ?? code.length);
  const head = functions.length === 0 ? "" : `var ${functions.join(",")};`;
  return head + [first, ...rest].join(";");
}

const WITH_PARENTHESES = ["FunctionExpression", "ArrowFunctionExpression", "FunctionDeclaration"];

/** Those that can be compiled at once, in the order of the file. V8 does not do so with `async` arrows. */
function listFunctions(program) {
  const found = [];
  const visit = (node, above) => {
    const isArrow = node.type === "ArrowFunctionExpression";
    const isMethod =
      above.type === "MethodDefinition" || above.method || /^[gs]et$/.test(above.kind);
    if (WITH_PARENTHESES.includes(node.type) && !(isArrow && node.async) && !isMethod)
      found.push({ node, isTop: above === program });
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child?.type === "string") visit(child, node);
  };
  for (const statement of program.body) visit(statement, program);
  return found;
}

function edit(code, edits, from, to) {
  let text = "";
  let at = from;
  for (const [start, end, written] of edits) {
    if (start < from || end > to || (start === to && written === "(")) continue;
    if (end === from && written === ")") continue;
    text += code.slice(at, start) + written;
    at = end;
  }
  return text + code.slice(at, to);
}
