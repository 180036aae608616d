// Subcommands that move or delete references, here or at a remote.
import type { GitArguments } from "./arguments.ts";
import {
  anyOf,
  type GitCondition,
  type GitHazard,
  type GitRule,
  hazard,
  movesBranch,
  NO_HAZARDS,
} from "./hazard.ts";
import { MERGE_OPTIONS } from "./history.ts";

const NETWORK = "4|ipv4 6|ipv6 v|verbose q|quiet progress";

const PUSH = `repo= all branches mirror d|delete tags n|dry-run porcelain f|force force-with-lease? force-if-includes
  recurse-submodules= thin receive-pack= exec= u|set-upstream prune verify follow-tags signed? atomic
  o|push-option= no-verify ${NETWORK}`;

function pushHazards(args: GitArguments): readonly GitHazard[] {
  const found: GitHazard[] = [];
  if (args.has("no-verify")) found.push(hazard("no-verify", "a push must not pass by its checks"));
  // A push that only shows what it would do still runs the program of the other side.
  if (args.has("dry-run")) return found;
  const refspecs = args.operands.slice(1);
  if (args.has("force") || refspecs.some((each) => each.startsWith("+")))
    found.push(hazard("force-push", "a forced push overwrites what others pushed"));
  if (args.has("force-with-lease", "force-if-includes"))
    found.push(hazard("force-with-lease", "a push with `--force-with-lease` rewrites the branch"));
  if (args.has("mirror")) found.push(hazard("mirror", "a mirror push deletes what is not here"));
  if (args.has("delete", "prune") || refspecs.some((each) => /^\+?:./.test(each)))
    found.push(hazard("delete-remote", "it deletes a branch or tag of the remote"));
  return found;
}

const FETCH = `all set-upstream a|append atomic upload-pack= f|force m|multiple t|tags n j|jobs= prefetch p|prune
  P|prune-tags recurse-submodules? dry-run write-fetch-head k|keep u|update-head-ok depth= shallow-since=
  shallow-exclude= deepen= unshallow refetch submodule-prefix= recurse-submodules-default= update-shallow refmap=
  o|server-option= negotiation-tip= negotiate-only filter= auto-maintenance auto-gc show-forced-updates
  write-commit-graph stdin porcelain no-tags ${NETWORK}`;
const PULL = `r|rebase? ${MERGE_OPTIONS} ${FETCH}`;

/** A branch that follows one of the remote may be put anywhere; a local one is moved by a refspec with two sides. */
function fetchHazards(args: GitArguments): readonly GitHazard[] {
  if (args.has("dry-run")) return NO_HAZARDS;
  const found: GitHazard[] = [];
  const refspecs = args.operands.slice(1);
  const isForced = args.has("force", "update-head-ok");
  const moves = refspecs.some((each) =>
    /^\+.+:/.test(each) ? true : isForced && each.includes(":"),
  );
  if (moves || args.has("refmap", "stdin", "update-head-ok"))
    found.push(hazard("branch-delete", "a branch is overwritten by what is fetched"));
  if (args.has("prune-tags") || (args.has("prune") && refspecs.some((each) => each.includes(":"))))
    found.push(hazard("branch-delete", "what the remote does not have is deleted here"));
  else if (args.has("prune")) found.push(prunesRemotes);
  return found;
}

const prunesRemotes: GitHazard = hazard(
  "branch-delete",
  "commits that only a deleted branch of the remote had are lost",
  { kind: "remotes-kept" },
);

const BRANCH = `v|verbose q|quiet t|track? set-upstream u|set-upstream-to= unset-upstream color? r|remotes contains?
  no-contains? with? without? abbrev? a|all d|delete D m|move M c|copy C l|list show-current create-reflog
  edit-description f|force merged? no-merged? column? sort= points-at= i|ignore-case recurse-submodules format=
  omit-empty`;

function branchHazards(args: GitArguments): readonly GitHazard[] {
  const [first, second] = args.operands;
  const isForced = args.has("force");
  if (args.has("D", "delete")) {
    // Without force git itself refuses what is not merged, but of a remote's branches it does not ask.
    if (!args.has("D") && !isForced && !args.has("remotes")) return NO_HAZARDS;
    const prefix = args.has("remotes") ? "refs/remotes/" : "refs/heads/";
    return [deletesRefs(args.operands.map((name) => `${prefix}${name}`))];
  }
  if (args.has("M", "C") || (isForced && args.has("move", "copy"))) {
    const name = second ?? first ?? "";
    return [replacesRef(`refs/heads/${name}`)];
  }
  if (args.has("move", "copy") || !isForced || first === undefined) return NO_HAZARDS;
  return [movesBranch(first, second ?? "HEAD")];
}

const FORCED_BRANCH =
  "commits of a branch deleted or moved by force are lost; `git branch -d` deletes what is merged";

const deletesRefs = (refs: readonly string[]): GitHazard =>
  hazard("branch-delete", FORCED_BRANCH, {
    kind: "kept-elsewhere",
    refs,
  });

const replacesRef = (ref: string): GitHazard =>
  hazard("branch-delete", FORCED_BRANCH, {
    kind: "new-ref",
    name: ref,
  });

const TAG = `l|list n? d|delete v|verify a|annotate m|message= F|file= e|edit s|sign cleanup= u|local-user= f|force
  create-reflog column? contains? no-contains? with? without? merged? no-merged? sort= points-at? format= color?
  i|ignore-case trailer= omit-empty`;

function tagHazards(args: GitArguments): readonly GitHazard[] {
  const names = args.has("delete") ? args.operands : args.operands.slice(0, 1);
  if (!args.has("delete", "force") || args.has("list", "verify")) return NO_HAZARDS;
  return names.map((name) =>
    hazard("branch-delete", "a tag is deleted or moved", {
      kind: "new-ref",
      name: `refs/tags/${name}`,
    }),
  );
}

function updateRefHazards(args: GitArguments): readonly GitHazard[] {
  const [name = "", target = ""] = args.operands;
  const what = "a reference is moved or deleted";
  if (args.has("stdin", "d") || /^0*$/.test(target)) return [hazard("branch-delete", what)];
  const isNew: GitCondition = { kind: "new-ref", name };
  // A branch may go forward, a tag is to stay where it is.
  const unless = name.startsWith("refs/tags/")
    ? isNew
    : anyOf(isNew, { kind: "ancestor", of: name, from: target });
  return [hazard("branch-delete", what, unless)];
}

const always = (hazardOf: GitHazard, options = ""): GitRule => ({
  options,
  hazards: () => [hazardOf],
});

const REMOTE =
  "v|verbose f|fetch t|track= m|master= tags mirror? push add delete all n|dry-run p|prune a|auto d D";

function remoteHazards(args: GitArguments): readonly GitHazard[] {
  const [verb = "", ...rest] = args.operands;
  if (verb === "remove" || verb === "rm")
    return [hazard("branch-delete", "the remote's branches are forgotten here")];
  if (args.has("dry-run")) return NO_HAZARDS;
  if (verb === "prune" || (verb === "update" && args.has("prune"))) return [prunesRemotes];
  if (verb === "add" && args.has("mirror"))
    return [hazard("mirror", "every push to it would delete what is not here")];
  return /^(add|set-url)$/.test(verb) && rest.some((word) => /^[\w+.-]+::/.test(word))
    ? [hazard(null, "the address runs a program")]
    : NO_HAZARDS;
}

const WRITES_REFS = hazard("branch-delete", "it writes references directly");

export const REF_RULES: ReadonlyMap<string, GitRule> = new Map<string, GitRule>([
  ["push", { options: PUSH, hazards: pushHazards }],
  ["fetch", { options: FETCH, hazards: fetchHazards }],
  ["pull", { options: PULL, hazards: fetchHazards }],
  ["branch", { options: BRANCH, hazards: branchHazards }],
  ["tag", { options: TAG, hazards: tagHazards }],
  ["remote", { options: REMOTE, hazards: remoteHazards }],
  [
    "update-ref",
    { options: "m= d no-deref stdin z create-reflog batch-updates", hazards: updateRefHazards },
  ],
  [
    "symbolic-ref",
    {
      options: "q|quiet d|delete short recurse m=",
      hazards: (args) =>
        args.has("delete") || args.operands.length > 1
          ? [hazard("branch-delete", "a reference is put elsewhere")]
          : NO_HAZARDS,
    },
  ],
  [
    "replace",
    {
      options: "l|list d|delete e|edit g|graft convert-graft-file f|force raw format=",
      hazards: (args) =>
        args.operands.length === 0 || args.has("list")
          ? NO_HAZARDS
          : [hazard("rewrite-history", "commits are put in the place of others")],
    },
  ],
  ...["send-pack", "http-push", "receive-pack"].map((name): [string, GitRule] => [
    name,
    always(
      hazard("force-push", "it pushes past what a guard can see; use `git push`"),
      `all dry-run force mirror delete receive-pack= exec= verbose thin atomic stateless-rpc
       stdin helper-status signed? push-option= quiet`,
    ),
  ]),
  ...["fast-import", "fetch-pack", "refs", "remote-ext", "remote-fd"].map(
    (name): [string, GitRule] => [name, always(WRITES_REFS)],
  ),
]);
