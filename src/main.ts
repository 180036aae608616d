// The entry of the command line: everything that `adj` does for a person or a script.
import { runCommandLine } from "./core/terminal/main.ts";
import { createAdjutant } from "./program.ts";

export const main = (): Promise<void> => runCommandLine(createAdjutant);
