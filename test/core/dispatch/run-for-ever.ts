// Dispatches one writing command in the given state folder that never ends; its test kills it.
import { startProgram } from "./test-program.ts";

const run = () => {
  process.stdout.write("running\n");
  return new Promise(() => setInterval(() => {}, 1_000));
};
const program = startProgram(
  { act: { effect: "write", run } },
  { stateDir: process.argv[2] ?? "" },
);
await program.send("act x", { surface: "cli", correlationId: "c-lost" });
