// This program as its hooks know it: how it is started, and its commands.
import { join } from "node:path";
import type { HookProgram } from "./hooks/resident/cold-parts.ts";

const isSource = import.meta.filename.endsWith(".ts");
// In the build all files lie side by side.
const entry = join(import.meta.dirname, isSource ? "cli.ts" : "adj.cjs");

export const ownProgram: HookProgram = {
  program: [process.execPath, entry],
  openCatalog: async (request) => (await import("./bundled-layer.ts")).openCatalog(request),
};
