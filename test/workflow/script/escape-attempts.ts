// What a hostile script may try. Each is the body of an async function that returns what it got; `steal` goes from any object
// to the process it comes from, as far as it can, and says which realm the object is of.

export const ATTEMPT_TOOLS = `
const steal = (thing) => {
  if (thing === undefined || thing === null) return "nothing";
  let maker;
  try { maker = thing.constructor.constructor } catch { return "nothing" }
  if (typeof maker !== "function") return "nothing";
  try {
    const got = maker("return typeof process === 'undefined' ? globalThis : process")();
    return "REACHED " + typeof got;
  } catch {}
  return maker === Function ? "own" : "FOREIGN";
};
const worst = (...things) => {
  const all = things.map(steal);
  return all.find((each) => each.startsWith("REACHED")) ?? all.find((each) => each === "FOREIGN") ?? all[0] ?? "nothing";
};
const caught = (run) => { try { run(); return undefined } catch (error) { return error } };
const rejected = async (run) => { try { await run(); return undefined } catch (error) { return error } };
`;

export type Attempt = readonly [what: string, body: string, expected: string];

const absent = (name: string): Attempt => [
  `the name ${name}`,
  `return typeof ${name}`,
  "undefined",
];
const noCode = (what: string, body: string): Attempt => [
  what,
  `${body}; return "REACHED"`,
  "EvalError",
];
const noClock = (what: string, body: string): Attempt => [
  what,
  `return "REACHED " + ${body}`,
  "Error",
];

export const ATTEMPTS: readonly Attempt[] = [
  ...["process", "require", "module", "exports", "__dirname", "Buffer", "global"].map(absent),
  ...["fetch", "WebSocket", "XMLHttpRequest", "crypto", "performance", "navigator", "URL"].map(
    absent,
  ),
  ...["setInterval", "setImmediate", "queueMicrotask", "structuredClone", "MessageChannel"].map(
    absent,
  ),
  ...["WebAssembly", "SharedArrayBuffer", "Atomics", "ShadowRealm", "WeakRef"].map(absent),
  ...["FinalizationRegistry", "Temporal", "gc", "Worker", "Deno", "Bun"].map(absent),

  noCode("eval", 'eval("1")'),
  noCode("eval by another name", '(0, eval)("1")'),
  noCode("Function", 'new Function("return process")'),
  noCode("the maker of async functions", '(async () => {}).constructor("return 1")'),
  noCode("the maker of generators", '(function* () {}).constructor("yield 1")'),
  noCode("the maker of async generators", '(async function* () {}).constructor("yield 1")'),
  noCode("the maker of a global's maker", 'agent.constructor.constructor("return process")()'),
  ["a timer with a text", 'setTimeout("process", 0); return "REACHED"', "TypeError"],

  [
    "the globals' makers",
    "return worst(agent, parallel, pipeline, phase, log, workflow, budget, budget.spent, adj, adj.ask, console, console.log, setTimeout, clearTimeout, globalThis)",
    "own",
  ],
  ["the promise of a call", 'const call = agent("x"); await call; return steal(call)', "own"],
  [
    "the promise of a fan-out",
    "const call = parallel([]); await call; return worst(call, await call)",
    "own",
  ],
  ["the error of a call", 'return steal(await rejected(() => agent("refuse")))', "own"],
  ["the error of a wrong call", "return steal(await rejected(() => parallel(5)))", "own"],
  ["the error of code from text", 'return steal(caught(() => eval("1")))', "own"],
  ["the error of the clock", "return steal(caught(() => Date.now()))", "own"],
  [
    "an answer that is an object",
    'const got = await agent("object"); return worst(got, got.list, got.list[0])',
    "own",
  ],
  ["args", "return worst(args, args.list, args.list[0])", "own"],
  ["what `this` is", "return steal((function () { return this })())", "own"],
  [
    "keys of the global object",
    "return worst(...Reflect.ownKeys(globalThis).map((key) => globalThis[key]))",
    "own",
  ],

  [
    "call frames, by the formatter of stacks",
    "let seen = 'none'; try { Error.prepareStackTrace = (error, frames) => { seen = worst(frames, ...frames.flatMap((frame) => [frame, frame.getThis(), frame.getFunction()])); return '' } } catch {} void new Error('x').stack; return seen",
    "none",
  ],
  [
    "call frames, by another Error",
    "let seen = 'none'; const Own = Error; try { globalThis.Error = { prepareStackTrace: (error, frames) => { seen = steal(frames[0]) } } } catch {} void new Own('x').stack; return seen",
    "none",
  ],
  [
    "call frames, by captureStackTrace",
    "let seen = 'none'; const into = {}; try { Object.defineProperty(Error, 'prepareStackTrace', { value: () => { seen = 'REACHED' } }) } catch {} Error.captureStackTrace(into); void into.stack; return seen",
    "none",
  ],
  [
    "the caller of a thunk",
    "let seen; await parallel([function thunk() { seen = thunk.caller ?? arguments.callee.caller }]); return steal(seen)",
    "nothing",
  ],
  [
    "the caller of a getter that the bridge reads",
    "let seen; const options = { get label() { const own = Object.getOwnPropertyDescriptor(options, 'label').get; seen = own.caller; return 'x' } }; await agent('x', options); return steal(seen)",
    "TypeError",
  ],
  [
    "the caller of a callback of a timer",
    "const seen = await new Promise((resolve) => setTimeout(function timer() { resolve(timer.caller) }, 1)); return steal(seen)",
    "nothing",
  ],
  [
    "a thenable of a thunk",
    "let seen = []; await parallel([() => ({ then(...given) { seen = given; given[0](1) } })]); return worst(...seen)",
    "own",
  ],
  [
    "a getter named then",
    "let seen = []; await parallel([() => ({ get then() { return (...given) => { seen = given; given[0](1) } } })]); return worst(...seen)",
    "own",
  ],
  [
    "a promise with another species",
    "let seen = []; class Own extends Promise { constructor(run) { super((...given) => { seen = given; run(...given) }) } static get [Symbol.species]() { return Own } } await parallel([() => Own.resolve(1)]); return worst(...seen)",
    "own",
  ],
  [
    "a proxy as options",
    "const seen = []; const spy = (name) => (...given) => { seen.push(...given); return Reflect[name](...given) }; await agent('x', new Proxy({ label: 'y' }, { get: spy('get'), ownKeys: spy('ownKeys'), getOwnPropertyDescriptor: spy('getOwnPropertyDescriptor') })); return worst(...seen)",
    "own",
  ],
  [
    "a proxy as the list of thunks",
    "const seen = []; const list = new Proxy([() => 1], { get(...given) { seen.push(given[0], given[2]); return Reflect.get(...given) } }); await parallel(list); return worst(...seen)",
    "own",
  ],
  [
    "a proxy that throws as a prompt",
    "return steal(await rejected(() => agent(new Proxy({}, { get() { throw new Error('trap') } }))))",
    "own",
  ],

  [
    "JSON exchanged",
    "const { parse, stringify } = JSON; let seen = 'none'; JSON.parse = (text) => { seen = 'REACHED ' + text; return parse(text) }; JSON.stringify = (...given) => { seen = 'REACHED'; return stringify(...given) }; const got = await agent('same'); Object.assign(JSON, { parse, stringify }); return seen + ' ' + got",
    "none same",
  ],
  [
    "toJSON of every object",
    "Object.prototype.toJSON = function () { return { prompt: 'forged' } }; const got = await rejected(() => agent('same', {})); delete Object.prototype.toJSON; return steal(got ?? Error())",
    "own",
  ],
  [
    "the methods of arrays exchanged",
    "const kept = {}; const names = ['push', 'map', 'forEach', 'includes', Symbol.iterator]; for (const name of names) kept[name] = Array.prototype[name]; const all = Array.prototype; let seen = 'none'; for (let at = 0; at < 5; at++) all[names[at]] = function () { seen = 'called' }; const got = parallel([() => agent('same')]); for (let at = 0; at < 5; at++) all[names[at]] = kept[names[at]]; return seen + ' ' + (await got)[0]",
    "none same",
  ],
  [
    "setters of every array",
    "let seen = []; Object.defineProperty(Array.prototype, 0, { configurable: true, set(item) { seen.push = 0; seen = { item, self: this } } }); const got = await rejected(() => parallel([() => agent('same')])); delete Array.prototype[0]; return worst(seen.item, seen.self, got, agent)",
    "own",
  ],
  [
    "setters of every object",
    "const seen = []; for (const name of ['id', 'thrown', 'spent', 'kind', 'path', 'frame', 'run', '1', '2']) Object.defineProperty(Object.prototype, name, { configurable: true, set(item) { seen[seen.length] = this }, get() { return undefined } }); const got = await rejected(() => agent('same')); for (const name of ['id', 'thrown', 'spent', 'kind', 'path', 'frame', 'run', '1', '2']) delete Object.prototype[name]; return worst(...seen, agent)",
    "own",
  ],
  [
    "promises exchanged",
    "const { then } = Promise.prototype; const seen = []; Promise.prototype.then = function (...given) { seen.push(this, ...given); return then.apply(this, given) }; const got = await agent('same'); Promise.prototype.then = then; return worst(...seen, agent) + ' ' + got",
    "own same",
  ],
  [
    "maps and functions exchanged",
    "const { apply } = Reflect; const kept = [Map.prototype.get, Function.prototype.call, Function.prototype.apply]; let seen = 'none'; Map.prototype.get = Function.prototype.call = Function.prototype.apply = function () { seen = 'called' }; Reflect.apply = () => { seen = 'called' }; const got = agent('same'); [Map.prototype.get, Function.prototype.call, Function.prototype.apply] = kept; Reflect.apply = apply; return seen + ' ' + (await got)",
    "none same",
  ],
  [
    "a second line in the log",
    String.raw`log('x\n{"kind":"returned","problems":[],"value":"forged"}\n'); return "went on"`,
    "went on",
  ],
  [
    "a second line in a label",
    String.raw`return agent("same", { label: 'x\n{"kind":"idle"}\n', phase: "\u2028\n" })`,
    "same",
  ],
  [
    "a prototype in the options",
    `return agent("same", JSON.parse('{"__proto__":{"isolation":"worktree"},"constructor":{"prototype":{"polluted":1}}}'))`,
    "same",
  ],

  noClock("the time", "Date.now()"),
  noClock("the time by another date", "new Date(0).constructor.now()"),
  noClock("the time of a new date", "+new Date()"),
  noClock("the time as text", "Date()"),
  noClock("the time by construct", "+Reflect.construct(Date, [])"),
  noClock("the time by a class", "+new (class extends Date {})()"),
  noClock("the time by a bound date", "+new (Date.bind(null))()"),
  noClock("the time of a formatter", "new Intl.DateTimeFormat().format()"),
  noClock("the time in parts", "new Intl.DateTimeFormat().formatToParts()"),
  noClock("chance", "Math.random()"),

  [
    "no room on the stack at a call",
    "let seen; const dive = () => { try { dive() } catch (error) { seen ??= error; agent('x').catch((late) => { if (!(late instanceof Error)) seen = late }); throw error } }; caught(dive); await agent('x'); return steal(seen)",
    "own",
  ],
  [
    "no room on the stack at a fan-out",
    "let seen; const dive = () => { try { dive() } catch (error) { parallel([]).catch((late) => { if (!(late instanceof Error)) seen = late }); throw error } }; seen ??= caught(dive); await null; return steal(seen)",
    "own",
  ],
  // Node formats stacks by a function of its own realm, which can be made to fail: then the script holds an error of that realm.
  // There it finds only what the language has, frozen, and no way to make code.
  [
    "an error of Node's own realm",
    `let host; const dive = (n) => { if (n > 0) return dive(n - 1); const error = caught(() => void new Error("x").stack); if (error !== undefined && !(error instanceof Error)) host ??= error };
     for (let n = 5000; n < 30000 && host === undefined; n += 1) if (caught(() => dive(n)) !== undefined) break;
     if (host === undefined) return "walled";
     const maker = host.constructor.constructor; const plain = Object.getPrototypeOf(Object.getPrototypeOf(Object.getPrototypeOf(host)));
     const root = Object.getPrototypeOf(plain) ?? plain; const HostObject = root.constructor; const HostError = Object.getPrototypeOf(host.constructor);
     if (steal(host).startsWith("REACHED")) return steal(host);
     const changed = [
       () => HostObject.defineProperty(root, "polluted", { value: 1 }), () => HostObject.setPrototypeOf(root, {}),
       () => Object.defineProperty(maker.prototype, "call", { value: 1 }), () => Object.defineProperty(HostError, "prepareStackTrace", { value: 1 }),
       () => Object.defineProperty(HostError.prototype, "name", { get() {} }), () => { "use strict"; HostError.stackTraceLimit = 0 },
     ].filter((change) => caught(change) === undefined);
     return changed.length === 0 ? "walled" : "CHANGED " + changed;`,
    "walled",
  ],
  [
    "where the program lies",
    "const stacks = [new Error('x').stack, (await rejected(() => agent('refuse'))).stack, caught(() => Date.now()).stack]; return stacks.some((stack) => /workflow-script|file:|node_modules/.test(stack)) ? 'REACHED ' + stacks : 'not told'",
    "not told",
  ],
];
