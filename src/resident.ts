// The entry of the process in the background that answers hooks: `adj resident serve`, which nobody types.
import { serveHooks } from "./hooks/resident/serve.ts";
import { ownProgram } from "./own-program.ts";

export const serveResident = (): Promise<void> => serveHooks(ownProgram);
