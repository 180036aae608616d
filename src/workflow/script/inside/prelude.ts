// The text that makes a script's world. It is sent to the script's process, which holds nothing else of ours.
import { makeCalls } from "./calls.ts";
import { defineDialect } from "./dialect.ts";
import { makeValueTools } from "./values.ts";

// Runs inside the script's context, before the script. It is turned into text, so it may use nothing from outside itself.

/**
 * Leaves the names of the language, but for those that know the time, chance, other threads or what memory holds; and lets
 * nobody see call frames, for one of Node's own functions stands among them.
 */
function lockDown(kept: readonly string[]): void {
  const global = globalThis;
  const refuse = (what: string, instead: string): never => {
    throw new Error(
      `${what} has another answer on every run, so a run could not go on; use \`await ${instead}\``,
    );
  };
  for (const name of Object.getOwnPropertyNames(global))
    if (!kept.includes(name)) Reflect.deleteProperty(global, name);

  const RealDate = Date;
  const GuardedDate = function (...values: []): unknown {
    if (new.target === undefined) refuse("`Date()`", "adj.now()");
    if (values.length === 0) refuse("`new Date()` without a value", "adj.now()");
    return Reflect.construct(RealDate, values, new.target);
  };
  Object.defineProperty(GuardedDate, "name", { value: "Date" });
  const now = () => refuse("`Date.now()`", "adj.now()");
  Object.defineProperty(GuardedDate, "prototype", { value: RealDate.prototype, writable: false });
  Object.defineProperty(RealDate.prototype, "constructor", { value: GuardedDate });
  for (const [name, value] of Object.entries({ now, parse: Date.parse, UTC: Date.UTC }))
    Object.defineProperty(GuardedDate, name, { value, configurable: true, writable: true });
  Object.defineProperty(global, "Date", { value: GuardedDate });
  Object.defineProperty(Math, "random", { value: () => refuse("`Math.random()`", "adj.random()") });

  // Without a date these take the clock's.
  const format = Intl.DateTimeFormat.prototype;
  const { formatToParts } = format;
  const readFormat = Object.getOwnPropertyDescriptor(format, "format")?.get;
  Object.defineProperty(format, "formatToParts", {
    value(date: Date | undefined) {
      if (date === undefined) refuse("`formatToParts()` without a date", "adj.now()");
      return Reflect.apply(formatToParts, this, [date]);
    },
  });
  Object.defineProperty(format, "format", {
    get() {
      const own = readFormat === undefined ? null : Reflect.apply(readFormat, this, []);
      return (date: Date | undefined) => {
        if (date === undefined) refuse("`format()` without a date", "adj.now()");
        return own(date);
      };
    },
  });

  const fixed = { value: undefined, writable: false, configurable: false };
  Object.defineProperty(Error, "prepareStackTrace", fixed);
  Object.defineProperty(global, "Error", { value: Error, writable: false, configurable: false });
}

/** What of the language a script finds; any other name of a later engine is taken away. */
const KEPT_NAMES: readonly string[] = [
  ...["Object", "Function", "Array", "Number", "parseFloat", "parseInt", "Infinity", "NaN"],
  ...["undefined", "Boolean", "String", "Symbol", "Date", "Promise", "RegExp", "Error"],
  ...["AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError"],
  ...["URIError", "globalThis", "JSON", "Math", "Intl", "ArrayBuffer", "Uint8Array", "Int8Array"],
  ...["Uint16Array", "Int16Array", "Uint32Array", "Int32Array", "BigUint64Array", "BigInt64Array"],
  ...["Uint8ClampedArray", "Float16Array", "Float32Array", "Float64Array", "DataView", "Map"],
  ...["BigInt", "Set", "Iterator", "WeakMap", "WeakSet", "Proxy", "Reflect", "decodeURI"],
  ...["decodeURIComponent", "encodeURI", "encodeURIComponent", "escape", "unescape", "eval"],
  ...["isFinite", "isNaN", "SuppressedError", "DisposableStack", "AsyncDisposableStack"],
];

/** A function of two: the bridge, and the facts as JSON. It gives what the process calls when something comes in. */
export const makePrelude = (): string => `((bridge, factsText) => {
"use strict";
(${lockDown})(${JSON.stringify(KEPT_NAMES)});
const facts = JSON.parse(factsText);
const tools = (${makeValueTools})();
const calls = (${makeCalls})(bridge, tools, facts.spent);
const dialect = (${defineDialect})({ ...calls, ...tools, facts });
const resolved = Promise.resolve();
const { then } = Promise.prototype;
const { apply } = Reflect;
return {
  __proto__: null,
  begin: dialect.begin,
  receive: calls.receive,
  fire: calls.fire,
  noteRejection: (reason) => void apply(then, resolved, [() => {
    const { name, message } = tools.describe(reason);
    calls.narrate("warning", "a promise that nobody awaited was rejected with " + name + ": " + message);
  }]),
};
})`;
