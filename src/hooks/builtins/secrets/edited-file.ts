// The file as an edit would leave it: a secret may be there only when the old text and the new one stand together.
import type { StepSubject, ToolArguments } from "../../../core/step/envelope.ts";
import { absolutePath } from "../../match/paths.ts";
import { speltPaths } from "../files/spelt-paths.ts";
import { readSearchedFile } from "./read-file.ts";
import { EditWork, type Replacement, replaceText } from "./replace-text.ts";
import { hasNewSecret } from "./written-texts.ts";

const PATH = /^(?:file_?path|path|file|uri|notebook_path)$/i;
const OLD = /^old_?(?:string|str|text)?$/i;
const NEW = /^new_?(?:string|str|text)?$/i;
const ALL = /^(?:replace_?all|allow_multiple)$/i;

export function editMakesSecret(subject: StepSubject): boolean {
  const { args = {}, cwd } = subject.envelope;
  const replacements = replacementsIn(args);
  if (replacements.length === 0) return false;
  const named = Object.entries(args).flatMap(([key, value]) =>
    PATH.test(key) && typeof value === "string" ? speltPaths(value) : [],
  );
  const context = { folder: cwd, home: subject.home };
  const work = new EditWork();
  return [...new Set([...subject.paths, ...named])].some((path) => {
    const before = readSearchedFile(absolutePath(path, context));
    if (before === null) return false;
    const after = replacements.reduce((text, each) => replaceText(text, each, work), before);
    return hasNewSecret(before, after);
  });
}

/** Of the call itself and of a list of edits in it. */
function replacementsIn(args: ToolArguments): Replacement[] {
  const lists = Object.values(args).filter((value) => Array.isArray(value));
  const edits = [args, ...lists.flat().filter((each) => typeof each === "object" && each !== null)];
  return edits.flatMap((edit) => {
    const value = (name: RegExp): unknown =>
      Object.entries(edit).find(([key]) => name.test(key))?.[1];
    const [old, now] = [value(OLD), value(NEW)];
    if (typeof old !== "string" || typeof now !== "string" || old === "") return [];
    return [{ old, now, isAll: value(ALL) === true }];
  });
}
