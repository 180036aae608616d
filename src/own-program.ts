// This program as its hooks know it: how it is started, and its commands.
import { fileURLToPath } from "node:url";
import type { HookProgram } from "./hooks/resident/cold-parts.ts";

const isSource = import.meta.url.endsWith(".ts");
// In the build all files lie side by side.
const entry = new URL(isSource ? "./cli.ts" : "./adj.cjs", import.meta.url);

export const ownProgram: HookProgram = {
  program: [process.execPath, fileURLToPath(entry)],
  openCatalog: async (request) => (await import("./bundled-layer.ts")).openCatalog(request),
};
