// From what a command did to the line that shows it: cut, then inline or through files.
import { cutOutput } from "./cut-output.ts";
import { planReplay, replayFiles, type Streams } from "./replay-line.ts";
import { placeStreamFile, removeOldOutputs, writeStreamFile } from "./stream-files.ts";

export function writeReplay(streams: Streams, stateDir: string, now: Date): string {
  const shown = cutStreams(streams, stateDir);
  const replay = planReplay(shown);
  if (replay.kind === "line") return replay.line;
  const files = {
    stdout: placeStreamFile(stateDir, "stdout"),
    stderr: placeStreamFile(stateDir, "stderr"),
  };
  writeStreamFile(files.stdout, shown.stdout);
  writeStreamFile(files.stderr, shown.stderr);
  removeOldOutputs(stateDir, now);
  return replayFiles(files, shown.exitCode);
}

export const cutStreams = ({ stdout, stderr, exitCode }: Streams, stateDir: string): Streams => ({
  stdout: cutChannel(stdout, stateDir, "stdout"),
  stderr: cutChannel(stderr, stateDir, "stderr"),
  exitCode,
});

function cutChannel(whole: Uint8Array, stateDir: string, channel: "stdout" | "stderr"): Uint8Array {
  const file = placeStreamFile(stateDir, channel);
  const { bytes, isCut } = cutOutput(whole, () => file);
  if (isCut) writeStreamFile(file, whole);
  return bytes;
}
