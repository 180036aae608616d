// Which protected path a step would touch.
import type { ToolKind } from "../../agents/tool-kind.ts";
import { matchPathBelow, resolveBoth, splitPattern } from "../match/match-path.ts";
import { type PathPlace, resolvePath } from "../match/resolve-path.ts";
import { lineOf } from "../shell/subject-line.ts";
import type { StepSubject } from "../subject.ts";
import { type PathMention, readMentions } from "./path-mentions.ts";
import { ACCESSES, type Access, type ProtectOptions } from "./protect-options.ts";

const BY_KIND: Readonly<Partial<Record<ToolKind, readonly Access[]>>> = {
  read: ["read"],
  search: ["read"],
  write: ["write"],
  edit: ["read", "write"],
};

/** Continues "…, which `rule` protects"; null where nothing is touched. */
export function findTouch(options: ProtectOptions, subject: StepSubject): string | null {
  const { envelope, home } = subject;
  const accesses = BY_KIND[envelope.kind ?? "other"] ?? ACCESSES;
  const place = { folder: envelope.cwd, home };
  const named = subject.paths.map(
    (path): PathMention => ({ path, place, accesses, deletes: false }),
  );
  const line = lineOf(subject);
  if (line !== null && line.problem !== null)
    return `the line cannot be read far enough to say that it leaves \`${options.paths[0] ?? ""}\` alone: ${line.problem}`;
  const mentions = line === null ? named : [...named, ...readMentions(line, place)];
  const touched = mentions.find((mention) => isTouched(mention, options, subject));
  return touched === undefined ? null : `it would touch \`${touched.path}\``;
}

function isTouched(mention: PathMention, options: ProtectOptions, subject: StepSubject): boolean {
  if (!mention.accesses.some((access) => options.access.includes(access))) return false;
  const root: PathPlace = { folder: subject.root, home: subject.home };
  const path = resolveBoth(mention.path, mention.place);
  const isBelow = (pattern: string): boolean => matchPathBelow(pattern, path, root);
  if (options.paths.some(isBelow)) return !options.except.some(isBelow);
  return mention.deletes && options.paths.some((pattern) => isAround(path.real, pattern, root));
}

/** To delete a folder is to delete what is protected inside it. */
function isAround(folder: string, pattern: string, root: PathPlace): boolean {
  const { base } = splitPattern(pattern);
  const inside = resolvePath(base === "" ? "." : base, root);
  return inside === folder || inside.startsWith(folder === "/" ? "/" : `${folder}/`);
}
