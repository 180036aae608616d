// Where `adj` begins. It answers `--version` by itself; all else loads the command line when needed.
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { VERSION } from "../../version.ts";

async function enter(): Promise<void> {
  const [first, second] = process.argv.slice(2);
  if (second === undefined && (first === "--version" || first === "-V")) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  const { XDG_CACHE_HOME, HOME } = process.env;
  const cache = XDG_CACHE_HOME || (HOME ? join(HOME, ".cache") : null);
  // In a folder of our own: the shared default one can be written to by anybody on some machines.
  if (cache !== null) enableCompileCache(join(cache, "adjutant"));
  const { main } = await import("./main.ts");
  await main();
  // What was written must be out before the end; then there is nothing to take down with care.
  for (const stream of [process.stdout, process.stderr])
    if (stream.writableLength > 0) await new Promise((resolve) => stream.write("", resolve));
  process.exit();
}

enter();
