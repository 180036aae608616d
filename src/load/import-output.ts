// A module that prints while it is loaded must not write into what the program prints: that may be
// JSON, or a protocol. Other work goes on meanwhile, so only what comes from the import is turned.
import { AsyncLocalStorage } from "node:async_hooks";

const loading = new AsyncLocalStorage<true>();
let isTurned = false;

/** What `act` writes to stdout while it runs goes to stderr. */
export function withOutputTurned<Result>(act: () => Promise<Result>): Promise<Result> {
  if (!isTurned) turnOutput();
  return loading.run(true, act);
}

function turnOutput(): void {
  isTurned = true;
  const { stdout, stderr } = process;
  stdout.write = new Proxy(stdout.write, {
    apply: (write, self, words) =>
      loading.getStore() === true
        ? Reflect.apply(stderr.write, stderr, words)
        : Reflect.apply(write, self, words),
  });
}
