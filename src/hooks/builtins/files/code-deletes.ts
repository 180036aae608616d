// Deletes in code: a path that stands there as a text counts, and so does a name that is only ever given such a text; any
// other is unknown.
import { TEMPORARY_PATH } from "../../../core/shell/known-output.ts";

interface CodeDelete {
  /** Null where it is known only when the code runs. */
  readonly path: string | null;
  readonly isGlob: boolean;
  /** What of the code says so. */
  readonly call: string;
}

const CALL =
  /\b(?:_?rmtree|removedirs|os\.(?:remove|unlink|rmdir)|(?:rm(?=\s*\()|rmSync|rmdir|rmdirSync|unlink|unlinkSync|f?truncate|f?truncateSync|emptyDirSync|removeSync|rimraf(?:Sync)?|rm_rf?|rm_f|remove_dir_all|remove_tree|remove_entry(?:_secure)?|remove_dir|safe_unlink|delete_folder|deltree)|remove(?=\s*\(\s*b?["'])|File\.delete|Dir\.(?:delete|rmdir)|Remove-Item|Directory\.Delete)\b(?:\s*(?:\?\.)?\(|\s+)(?:\s*(?:r|b|u|qw)?\\?(["'`])((?:(?!\1)[^\\\n$]){0,300})\\?\1(?=\s*[,);]|\s*$|\s*\n))?/g;
const METHOD =
  /Path(?:name)?(?:\.new)?\(\s*(?:r)?(["'])((?:(?!\1)[^\\\n]){1,300})\1\s*\)\s*\.(?:unlink|rmdir|rmtree|delete)\b|\.(?:unlink|rmdir)\(\s*(?:missing_ok\s*=\s*\w+\s*)?\)/g;
/** Another name for such a call, one without words of its own, or a program that is started with its words in a list. */
const HIDDEN =
  /\b(?:os|shutil|fs|File|FileUtils)\.(?:remove|unlink|rmdir|rmtree|delete|rm_rf?|(?:rm|unlink|rmdir)Sync)\b(?!\s*["'(])|\bunlink\b\s*(?:[;})]|$)|\bmap\(\s*(?:remove|unlink|rmtree|rmdir)\b|["'`](?:rm|unlink|rmdir|truncate)Sync["'`]|(?:vars\(|__dict__|methodcaller)[^\n]{0,40}["'](?:remove|unlink|rmtree|rmdir)["']|\bfile\s+delete\b|\bcall\s+delete\(|\b(?:rmSync|unlinkSync|rmdirSync)\s*:\s*[A-Za-z_$]|\bimport\s+(?:remove|unlink|rmtree|rmdir)\s+as\b|["'](?:rm|rmdir|unlink|shred)["']\s*,/;
/** A file that is opened to be written and gets nothing, or a copy of nothing. */
const EMPTIES = [
  /\b(?:writeFile(?:Sync)?|(?:File|IO)\.write|file_put_contents)\s{0,9}\(?\s{0,9}(["'`])([^"'`\\\n$]{1,300})\1\s{0,9},\s{0,9}(?:""|''|``|null\b|Buffer\.alloc\(0\))/g,
  /\bPath\(\s{0,9}(["'])([^"'\\\n]{1,300})\1\s{0,9}\)\.write_(?:text|bytes)\(\s{0,9}b?(?:""|'')/g,
  /\b(?:open|openSync)\(\s{0,9}(["'])([^"'\\\n$]{1,300})\1\s{0,9},\s{0,9}(?:mode=)?["']wb?["']\s{0,9}\)(?:\s{0,9}[);]|\s{0,9}$|\.close\(|\.write\(b?(?:""|'')|\s{1,9}as \w{1,40}:\s{0,20}(?:pass\b|\w{1,40}\.write\(b?(?:""|'')))/g,
  /\b(?:copy|copyfile|copyFile(?:Sync)?|cpSync)\(\s{0,9}["']\/dev\/null["'],\s{0,9}(["'])([^"'\\\n$]{1,300})\1/g,
];
const MAX_CALLS = 500;

export function deletesInCode(code: string): CodeDelete[] {
  const hidden = HIDDEN.exec(code);
  const found: CodeDelete[] = hidden === null ? [] : [unknown(hidden[0])];
  const values: KnownValues = new Map();
  for (const pattern of [CALL, METHOD])
    for (const match of code.matchAll(pattern)) {
      const { index, 0: text, 2: path = "" } = match;
      if (path !== "") found.push({ path, isGlob: false, call: text });
      else found.push(...readNamed(code, { from: index, to: index + text.length, values }));
      if (found.length > MAX_CALLS) return [unknown(text)];
    }
  for (const pattern of EMPTIES)
    for (const { 0: call, 2: path = "" } of [...code.matchAll(pattern)].slice(0, MAX_CALLS))
      found.push({ path, isGlob: false, call });
  return inEnteredFolders(code, found);
}

/** `os.chdir("a")`, `Dir.chdir "a"`: behind it a path may begin there. */
const ENTERS =
  /\b(?:chdir|FileUtils\.cd)(?:\s{0,9}\(\s{0,9}|\s{1,9}(?=["'$]))(?:(["'])([^"'\\\n$]{1,300})\1)?/g;

function inEnteredFolders(code: string, found: readonly CodeDelete[]): CodeDelete[] {
  const folders = new Set(
    [...code.matchAll(ENTERS)].slice(0, MAX_ENTERED).map((match) => match[2]),
  );
  const below = [...folders].flatMap((folder) =>
    found
      .filter(({ path }) => path !== null && !/^[/~]/.test(path))
      .map((each) =>
        folder === undefined ? unknown(each.call) : { ...each, path: `${folder}/${each.path}` },
      ),
  );
  return [...found, ...below];
}

const MAX_ENTERED = 20;

const unknown = (call: string): CodeDelete => ({
  path: null,
  isGlob: false,
  call: call.replace(/\s+/g, " ").trim().slice(0, 120),
});

/** `os.remove(f)` and `f.unlink()`: what the name may be. */
function readNamed(
  code: string,
  { from, to, values: known }: { from: number; to: number; values: KnownValues },
): readonly CodeDelete[] {
  const line = code.slice(Math.max(0, from - 60), to + 80);
  const start = Math.min(from, 60);
  const call = `${/[\w$.]*$/.exec(line.slice(0, start))?.[0] ?? ""}${/^[^\n;]*/.exec(line.slice(start))?.[0] ?? ""}`;
  const argument = /^\s*([A-Za-z_$][\w$]*)(?:\.name)?\s*[,)]/.exec(code.slice(to, to + 80))?.[1];
  const object = /([A-Za-z_]\w*)$/.exec(line.slice(0, start))?.[1];
  const name = code[from] === "." ? object : argument;
  if (name !== undefined && !known.has(name)) known.set(name, valuesOf(code, name));
  const values = known.get(name ?? "") ?? null;
  return values === null ? [unknown(call)] : values.map((each) => ({ ...each, call }));
}

type Value = Pick<CodeDelete, "path" | "isGlob">;
/** A name that is deleted five hundred times is looked for once. */
type KnownValues = Map<string, readonly Value[] | null>;

const TEXT = /^\s*=\s*r?(["'])((?:(?!\1)[^\\\n${}]){1,300})\1\s{0,9}(?=[;\n]|$)/;
/** A folder or a file that is made for it. */
const FRESH =
  /^\s*=\s*(?:await\s+)?(?:[\w$]+\.){0,3}(?:mkdtemp(?:Sync)?|mkstemp|mktemp|NamedTemporaryFile)\(/;
/** Of a name in the folder for such files. */
const IN_TEMPORARY =
  /^\s*=\s*(?:os\.)?path\.join\(\s*(?:os\.tmpdir|tempfile\.gettempdir)\(\)\s*,\s*(["'`])(\w[^"'`\\\n/$]{0,100})\1\s*\)/;
const LIST = /^\s+(?:in|of)\s+[[(]((?:\s{0,9}["'][^"'\\\n${}]{1,300}["']\s{0,9},?){1,100})[\])]/;
const PATTERN =
  /^\s+in\s+(?:sorted\()?(?:glob\.)?i?glob\(\s{0,9}(["'])([^"'\\\n${}]{1,300})\1\s{0,9}\)/;
const FOR = /\bfor\s+(?:\(?\s{0,9}(?:const|let|var)\s+)?$/;
const WITH = /\b(?:TemporaryDirectory|NamedTemporaryFile)\([^()\n]{0,80}\)\s+as\s+$/;
/** Other ways to give a name a value: one of several at once, a parameter, a change. */
const OTHERWISE =
  /^\s*(?::=|[-+*/|%&.?]{1,2}=|=(?![=>])|=>|,[^()\n]{0,80}[^=!<>]=(?![=>])|[\])}]\s*=(?![=])|(?:,[^)\n]{0,80})?\)\s*=>|:\s*\w[\w.[\]]{0,40}\s*=)/;
const PARAMETER = /\b(?:def|function|lambda|as|for|import|global|nonlocal|catch)\b[^\n:{;=]{0,80}$/;
const MAX_USES = 200;
const NEW_FOLDER: Value = { path: TEMPORARY_PATH, isGlob: false };

/** All that a name is given in the code; null where any of it is no text. */
function valuesOf(code: string, name: string): readonly Value[] | null {
  const values: Value[] = [];
  let uses = 0;
  for (let at = code.indexOf(name); at !== -1; at = code.indexOf(name, at + name.length)) {
    const before = code.slice(Math.max(0, at - 120), at);
    const after = code.slice(at + name.length, at + name.length + 2_000);
    if (++uses > MAX_USES) return null;
    if (/[\w$.]$/.test(before) || /^[\w$]/.test(after)) continue;
    const given = valueAt(before, after);
    if (given === null) return null;
    values.push(...given);
  }
  return values.length === 0 ? null : values;
}

/** What this use of a name gives it, nothing where it only reads it. */
function valueAt(before: string, after: string): readonly Value[] | null {
  if (FOR.test(before)) {
    const pattern = PATTERN.exec(after)?.[2];
    if (pattern !== undefined) return [{ path: pattern, isGlob: true }];
    const list = LIST.exec(after)?.[1]?.match(/["'][^"']+["']/g);
    return list?.map((text) => ({ path: text.slice(1, -1), isGlob: false })) ?? null;
  }
  if (WITH.test(before) || FRESH.test(after)) return [NEW_FOLDER];
  const temporary = IN_TEMPORARY.exec(after)?.[2];
  if (temporary !== undefined) return [{ path: `/tmp/${temporary}`, isGlob: false }];
  const text = TEXT.exec(after)?.[2];
  // `a = d = "x"` gives it to both, `f(d="x")` to neither.
  if (text !== undefined && !/[=(,]\s{0,9}$/.test(before)) return [{ path: text, isGlob: false }];
  return OTHERWISE.test(after) || PARAMETER.test(before) ? null : [];
}
