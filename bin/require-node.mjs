// Imported before the library: on a Node that is too old it says so, before anything fails for another reason.
const found = process.versions.node;

if (Number(found.split(".")[0]) < 24) {
  const error = new Error(`adjutant: Node ${found} is too old, 24 or newer is needed`);
  // Whoever catches it goes on; else it is one line, without the place in our code and Node's own words around it.
  const sayOnce = (uncaught) => {
    console.error(uncaught === error ? error.message : uncaught);
    process.exit(uncaught === error ? 2 : 1);
  };
  process.on("uncaughtException", sayOnce);
  setImmediate(() => process.off("uncaughtException", sayOnce));
  throw error;
}
