// What `adj --version` prints. The build computes it into the entry itself: with what else knows the version a start would
// read all that a hook needs.
import { VERSION } from "./core/command/version.ts";

export const versionLine = (): string => `${VERSION}\n`;
