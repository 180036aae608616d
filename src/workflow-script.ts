// The process in which a workflow's script runs. It holds nothing worth reaching, and imports nothing of ours: what the
// script sees is made inside its context by a text that comes by the pipe. The functions that text is given take and
// return only texts and numbers; they never throw, and no function of the script is ever called with one of ours below it
// on the stack, except `receive` and its like, which only settle promises.
import { AsyncLocalStorage } from "node:async_hooks";
import vm from "node:vm";

interface Start {
  readonly prelude: string;
  readonly script: string;
  readonly file: string;
  /** JSON for the prelude. */
  readonly facts: string;
}

interface Inside {
  readonly begin: (main: unknown) => void;
  readonly receive: (answer: string) => void;
  readonly fire: (timer: number) => void;
  readonly noteRejection: (reason: unknown) => void;
}

const { stdin, stdout } = process;
// Nothing global is left when the script runs.
const { setTimeout, clearTimeout, setImmediate } = globalThis;
const { parse, stringify } = JSON;
const frames = new AsyncLocalStorage<string>();
const timers = new Map<number, NodeJS.Timeout>();
let waiting = 0;
let final: string | null = null;
let inside: Inside | null = null;

const write = (line: string): void => void stdout.write(`${line}\n`);

const bridge = {
  say: write,
  call(line: string) {
    waiting += 1;
    write(line);
  },
  finish(line: string) {
    final = line;
    if (waiting > 0) write(`{"kind":"unawaited","calls":${waiting}}`);
    setImmediate(look);
  },
  currentFrame: () => frames.getStore() ?? "",
  enterFrame: (frame: string) => frames.enterWith(frame),
  startTimer(id: number, ms: number) {
    const timer = setTimeout(() => {
      timers.delete(id);
      inside?.fire(id);
      setImmediate(look);
    }, ms);
    timers.set(id, timer);
  },
  clearTimer(id: number) {
    clearTimeout(timers.get(id));
    timers.delete(id);
  },
};

/** Before the first line of the person's file, so that lines are as there. */
const HEAD = "(async()=>{";

/** After all that could run has run: is it over, or is there nothing left that could ever wake it? */
function look(): void {
  if (waiting > 0) return;
  if (final !== null) write(final);
  else if (timers.size === 0) write('{"kind":"idle"}');
}

function receive(line: string): void {
  const text = line.slice(1);
  if (line[0] === "?") write('{"kind":"pong"}');
  else if (line[0] === "<") {
    // From here on its time is counted.
    write('{"kind":"pong"}');
    start(parse(text));
  } else {
    waiting -= 1;
    frames.run("", () => inside?.receive(text));
    setImmediate(look);
  }
}

function start({ prelude, script, file, facts }: Start): void {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
    codeGeneration: { strings: false, wasm: false },
  });
  const install = vm.runInContext(prelude, context, { filename: "adj:workflow" });
  const own: Inside = install(bridge, facts);
  inside = own;
  try {
    const columnOffset = -HEAD.length;
    const main = new vm.Script(`${HEAD}${script}\n})`, { filename: file, columnOffset });
    frames.run("", () => own.begin(main.runInContext(context)));
    setImmediate(look);
  } catch (error) {
    const message = `${error}`;
    write(stringify({ kind: "threw", name: "SyntaxError", message, stack: "" }));
  }
}

/** Nothing that could be of use to a script that got out of its context. */
function leaveNothing(): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  // So that a date is the same text wherever and whenever a run goes on.
  process.env.TZ = "UTC";
  const global = globalThis;
  const { deleteProperty } = Reflect;
  for (const name of Object.getOwnPropertyNames(global)) deleteProperty(global, name);
}

let rest = "";
stdin.setEncoding("utf8");
stdin.on("data", (chunk: string) => {
  const lines = chunk.split("\n");
  const last = lines.pop() ?? "";
  for (const line of lines) {
    receive(rest + line);
    rest = "";
  }
  rest += last;
});
// Whoever started it is gone.
const leave = process.exit.bind(process, 0);
stdin.on("end", leave);
stdout.on("error", leave);
process.on("unhandledRejection", (reason) => inside?.noteRejection(reason));
leaveNothing();
