// Names that git keeps for itself: it never looks for an alias of these.

const NAMES = `
add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore checkout
checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config
count-objects credential describe diff diff-files diff-index diff-tree difftool fast-export
fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref format-patch fsck gc
get-tar-commit-id grep hash-object help hook index-pack init instaweb interpret-trailers log
ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index
merge-tree mergetool mktag mktree mv name-rev notes pack-objects pack-refs patch-id prune
prune-packed pull push range-diff read-tree rebase reflog remote repack replace replay request-pull
rerere reset restore rev-list rev-parse revert rm send-email send-pack shortlog show show-branch
show-index show-ref sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag
unpack-objects update-index update-ref update-server-info var verify-commit verify-pack verify-tag
version whatchanged worktree write-tree
`;

const KNOWN: ReadonlySet<string> = new Set(NAMES.trim().split(/\s+/));

export const isGitSubcommand = (name: string): boolean => name === "" || KNOWN.has(name);
