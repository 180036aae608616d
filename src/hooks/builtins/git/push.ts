// Where a push goes, by its words, and where they leave it open by the settings of the repository; and where a fetch goes.
import { matchGlob } from "../../../core/project/glob.ts";
import type { GitArguments } from "../../../core/shell/git/arguments.ts";
import { type GitHazard, hazard } from "../../../core/shell/git/hazard.ts";
import type { GitRepository } from "./lookup.ts";

interface PushReading {
  /** Branches of the remote; `*` for all of them, `UNREAD` for one that is not known. */
  readonly targets: readonly string[];
  /** What the repository's settings make of a push that says nothing of the kind. */
  readonly hazards: readonly GitHazard[];
}

interface Settings {
  /** Those that may be checked out when the push runs, null for one that is not known. */
  readonly heads: readonly (string | null)[];
  value(name: string): string | undefined;
  readonly pushes: readonly string[];
  readonly isMirror: boolean;
}

export async function readPush(
  args: GitArguments,
  repository: GitRepository,
  heads: readonly (string | null)[],
): Promise<PushReading> {
  if (args.has("dry-run")) return { targets: [], hazards: [] };
  const settings = await readSettings(args, repository, heads);
  const hazards: GitHazard[] = [];
  if (settings.isMirror)
    hazards.push(hazard("mirror", "the remote is set to be a mirror: what is not here is deleted"));
  const isAll = settings.isMirror || args.has("all", "branches", "mirror", "prune");
  const given = joinTags(args.operands.slice(1));
  const bySettings = given.length === 0 || given.some((each) => !each.includes(":"));
  if (bySettings && !args.has("tags", "delete")) {
    if (settings.pushes.some((each) => each.startsWith("+")))
      hazards.push(hazard("force-push", "the remote's settings make it a forced push"));
    if (settings.pushes.some((each) => /^\+?:./.test(each)))
      hazards.push(hazard("delete-remote", "the remote's settings delete a branch"));
  }
  if (isAll) return { targets: ["*"], hazards };
  const targets =
    given.length > 0
      ? given.flatMap((each) => targetsOf(each, settings, args.has("delete")))
      : defaultTargets(args, settings);
  return { targets, hazards };
}

async function readSettings(
  args: GitArguments,
  repository: GitRepository,
  heads: readonly (string | null)[],
): Promise<Settings> {
  const all = await repository.settings();
  const branch = heads.at(-1);
  const value = (name: string): string | undefined => all.get(name)?.at(-1);
  const remote =
    args.operands[0] ??
    args.values("repo")[0] ??
    value(`branch.${branch}.pushremote`) ??
    value("remote.pushdefault") ??
    value(`branch.${branch}.remote`) ??
    "origin";
  return {
    heads,
    value,
    pushes: all.get(`remote.${remote}.push`) ?? [],
    isMirror: /^(true|yes|on|1)$/i.test(value(`remote.${remote}.mirror`) ?? ""),
  };
}

/** `tag v1` is two words. */
function joinTags(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "tag" && words[index + 1] !== undefined)
      joined.push(`refs/tags/${words[++index]}`);
    else joined.push(word);
  }
  return joined;
}

function defaultTargets(args: GitArguments, settings: Settings): string[] {
  if (args.has("tags")) return [];
  if (settings.pushes.length > 0)
    return settings.pushes.flatMap((each) => targetsOf(each, settings, false));
  const how = settings.value("push.default") ?? "simple";
  if (how === "nothing") return [];
  if (how === "matching") return ["*"];
  return settings.heads.map((head) => targetOfBranch(head, settings));
}

function targetOfBranch(branch: string | null, { value }: Settings): string {
  if (branch === null) return UNREAD;
  const isUpstream = /^(upstream|tracking)$/.test(value("push.default") ?? "");
  const upstream = isUpstream ? value(`branch.${branch}.merge`) : undefined;
  return nameOf(upstream ?? branch);
}

function targetsOf(refspec: string, settings: Settings, isDelete: boolean): string[] {
  const spec = refspec.replace(/^[+^]/, "");
  if (spec === ":") return ["*"];
  const at = spec.indexOf(":");
  const target = at === -1 ? spec : spec.slice(at + 1);
  if (/[*$`]/.test(target)) {
    if (/^refs\/(tags|notes)\//.test(target)) return [];
    return [/[$`]/.test(target) ? UNREAD : "*"];
  }
  if (at !== -1 || isDelete) return [target === "HEAD" || target === "@" ? "*" : nameOf(target)];
  if (target === "HEAD" || target === "@")
    return settings.heads.map((head) => targetOfBranch(head, settings));
  const mapped = settings.pushes.flatMap((each) => {
    const [, source = "", to] = /^\+?([^:]*)(?::(.*))?$/.exec(each) ?? [];
    const isMeant = source.includes("*") || nameOf(source) === nameOf(target);
    return isMeant && to !== undefined ? [to.includes("*") ? "*" : nameOf(to)] : [];
  });
  return [targetOfBranch(nameOf(target), settings), ...mapped];
}

/** As a remote finds a branch by less than its whole name. */
const nameOf = (reference: string): string => reference.replace(/^(refs\/)?heads\//, "");

export const UNREAD = "?";

/** The branch that must not be pushed to, null where none is; `UNREAD` where it may be one. */
export function findProtected(
  targets: readonly string[],
  wanted: readonly string[],
): string | null {
  if (wanted.length === 0) return null;
  const isWanted = (target: string): boolean =>
    wanted.some((glob) => matchGlob(glob, target, { style: "text" }));
  const hit = targets.find((target) => target === "*" || isWanted(target));
  if (hit === "*") return "all branches";
  return hit ?? (targets.includes(UNREAD) ? UNREAD : null);
}

/** A clone that is a mirror has its own branches overwritten by every fetch. */
export async function findInFetch(repository: GitRepository): Promise<readonly GitHazard[]> {
  const refspecs = [...(await repository.settings())].flatMap(([name, values]) =>
    /^remote\..*\.fetch$/.test(name) ? values : [],
  );
  const isOverwriting = refspecs.some((each) =>
    /^\+.*:(?!refs\/(remotes|tags|notes|pull)\/)/.test(each),
  );
  return isOverwriting
    ? [hazard("branch-delete", "the remote's settings overwrite branches by what is fetched")]
    : [];
}
