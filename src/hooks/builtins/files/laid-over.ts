// `cp a b` and `mv a b` where `b` is there: what was in it is gone. What the line, or the session, has just made to be
// put there is an edit like any other.
import { basename } from "node:path";
import { effectsOf } from "../../../core/shell/effects/effects-of.ts";
import type { FileEffect } from "../../../core/shell/effects/file-effect.ts";
import {
  hasFlag,
  type LineAnalysis,
  type SimpleCommand,
} from "../../../core/shell/simple-command.ts";
import { absolutePath, type PathContext } from "../../match/paths.ts";
import { codeOf } from "./code-text.ts";
import type { DeleteTarget } from "./deletes.ts";

export function filesLaidOver({ commands }: LineAnalysis, context: PathContext): DeleteTarget[] {
  // `mv a a.old && mv b a`: what was in it is still there.
  const kept = new Set<string>();
  return commands.flatMap((command) => {
    const laid = [...byProgram(command), ...byCode(command)];
    return command.folders.flatMap((folder) => {
      if (folder === null) return [];
      const at = { ...context, folder: absolutePath(folder, context) };
      return laid.flatMap(({ from, to }) => {
        const [path, over] = [absolutePath(to, at), absolutePath(from, at)];
        kept.add(over);
        return kept.has(path) ? [] : [{ path, names: null, isWhole: false, over }];
      });
    });
  });
}

interface Laying {
  readonly from: string;
  readonly to: string;
}

/** Nothing is overwritten, or another name keeps it; of a tree it is not known what lies in its way. */
const KEEPS = ["no-clobber", "update", "backup", "recursive", "archive"];

/** Of several files each goes to its own name in a folder. */
function byProgram(command: SimpleCommand): Laying[] {
  const [program, ...args] = command.words.map(({ text }) => text);
  if (!/^(cp|mv|install)$/.test(program ?? "") || hasFlag(args, "nbrRau", ...KEEPS)) return [];
  const effects = effectsOf(command).filter(({ word }) => word.kind === "literal");
  const named = (wanted: FileEffect["access"]): string[] =>
    effects.flatMap(({ access, word }) => (access === wanted ? [word.text] : []));
  const sources = named("read");
  const [only = "", another] = sources;
  const byName = new Map(sources.map((path) => [basename(path), path]));
  return [...new Set(named("write"))].flatMap((to) => {
    const from = another === undefined ? only : byName.get(basename(to));
    return from === undefined || from === "" ? [] : [{ from, to }];
  });
}

const CALL =
  /\b(?:os\.(?:rename|replace)|shutil\.(?:copy|copy2|copyfile|move)|(?:rename|copyFile)(?:Sync)?|File\.rename|FileUtils\.(?:cp|mv|copy|move)|copy|move)[\s(]{1,9}(["'])([^"'\\\n$]{1,300})\1\s{0,9},\s{0,9}(["'])([^"'\\\n$]{1,300})\3/g;
const MAX_CALLS = 200;

const byCode = (command: SimpleCommand): Laying[] =>
  [...(codeOf(command) ?? "").matchAll(CALL)]
    .slice(0, MAX_CALLS)
    .map(({ 2: from = "", 4: to = "" }) => ({ from, to }));
