// Keeps the marker true: looked at with every call, written when the hooks in force are others than it says.
import type { HookSet } from "../match/rule.ts";
import { MARKER_HEAD, type MarkedSet, markedSets, readMarker } from "./guard-marker.ts";

/** Looks at every call whether the marker is true, and writes it where it is not. */
export async function refreshMarker(
  dataDir: string,
  set: HookSet,
  { configDir, root }: Pick<MarkedSet, "configDir" | "root">,
): Promise<void> {
  // A file that does not parse is no good look.
  if (set.broken.length > 0) return;
  const sets = markedSets(set, configDir, root);
  const marker = readMarker(dataDir);
  // What it says of other projects would be lost: only who installs writes a new one over it.
  if (marker === null || isMarked(marker, sets)) return;
  const { writeMarker } = await import("./write-marker.ts");
  await writeMarker(dataDir, sets);
}

/** Whether a marker says of these sets what they say; most calls end here. */
const isMarked = (marker: string, sets: readonly MarkedSet[]): boolean =>
  marker === ""
    ? sets.every(({ steps }) => steps === "")
    : marker.startsWith(MARKER_HEAD) &&
      sets.every(({ configDir, root, steps, files }) =>
        steps === ""
          ? !marker.includes(`\nset\t${configDir}\t${root}\t`)
          : marker.includes(`\nset\t${configDir}\t${root}\t${steps}\t${files}\n`),
      );
