const FILE_LINE = /^\s*\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$/gm;

/** The files a patch in the form of `apply_patch` touches, each once, as written. */
export function patchPaths(patch: string): readonly string[] {
  const paths = [...patch.matchAll(FILE_LINE)].map(([, path]) => path ?? "");
  return [...new Set(paths)];
}
