// Names that git keeps for itself, of all versions up to 2.54: it never looks for an alias of these. Any other name is an
// alias or a program `git-NAME` somewhere on the path.

export const GIT_SUBCOMMANDS: ReadonlySet<string> = new Set(
  `add add--interactive am annotate apply archimport archive backfill bisect bisect--helper blame branch bugreport
   bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout--worker checkout-index
   cherry cherry-pick citool clean clone column commit commit-graph commit-tree config count-objects credential
   credential-cache credential-cache--daemon credential-store cvsexportcommit cvsimport cvsserver daemon describe
   diagnose diff diff-files diff-index diff-pairs diff-tree difftool difftool--helper env--helper fast-export
   fast-import fetch fetch-pack filter-branch filter-repo fmt-merge-msg for-each-ref for-each-repo format-patch
   fsck fsck-objects fsmonitor--daemon gc get-tar-commit-id grep gui hash-object help history hook http-backend
   http-fetch http-push imap-send index-pack init init-db instaweb interpret-trailers last-modified lfs log
   ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-octopus
   merge-one-file merge-ours merge-recursive merge-recursive-ours merge-recursive-theirs merge-resolve
   merge-subtree merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes p4 pack-objects
   pack-redundant pack-refs patch-id pickaxe prune prune-packed pull push quiltimport range-diff read-tree rebase
   receive-pack reflog refs remote remote-ext remote-fd remote-ftp remote-ftps remote-http remote-https repack
   replace replay repo request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack
   sh-i18n--envsubst shell shortlog show show-branch show-index show-ref sparse-checkout stage stash status
   stripspace submodule submodule--helper subtree svn switch symbolic-ref tag unpack-file unpack-objects
   update-index update-ref update-server-info upload-archive upload-archive--writer upload-pack url-parse var
   verify-commit verify-pack verify-tag version web--browse whatchanged worktree write-tree`.split(
    /\s+/,
  ),
);
