// Runs on any Node that knows `import()`: says what to do, or loads the program.
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const found = process.versions.node;
const entry = path.resolve(process.argv[2]);
process.argv.splice(1, 2, entry);

if (Number(found.split(".")[0]) < 24) {
  console.error(
    `adj: Node ${found} is too old, 24 or newer is needed; install it, or install Adjutant with its optional dependencies`,
  );
  process.exitCode = 2;
} else {
  import(pathToFileURL(entry).href);
}
