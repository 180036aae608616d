// Where `adj` begins. It answers `--version` by itself and takes hooks the short way; all else loads the command line.
import { writeSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { versionLine } from "./version-line.ts";

async function enter(): Promise<void> {
  const [first, second, third, fourth] = process.argv.slice(2);
  if (second === undefined && (first === "--version" || first === "-V")) return printVersion();
  const { XDG_CACHE_HOME, HOME } = process.env;
  const cache = XDG_CACHE_HOME || (HOME ? join(HOME, ".cache") : null);
  // In a folder of our own: the shared default one can be written to by anybody on some machines.
  if (cache !== null) enableCompileCache(join(cache, "adjutant"));
  if (first === "hook") {
    const { runHook } = await import("./hook.ts");
    await runHook(second ?? "", third, fourth);
    process.exit();
  }
  if (first === "resident" && second === "serve") {
    const { serveResident } = await import("./resident.ts");
    await serveResident();
    process.exit(0);
  }
  const { main } = await import("./main.ts");
  await main();
  // Everything is written; there is nothing to take down with care.
  process.exit();
}

/** A pipe or a disk that is full, or that nobody reads, is for the command line, which knows what to say and how to end. */
async function printVersion(): Promise<void> {
  try {
    writeSync(1, versionLine());
  } catch {
    const { main } = await import("./main.ts");
    await main();
    process.exit();
  }
}

enter();
