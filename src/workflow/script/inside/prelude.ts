// The text that makes a script's world. It is sent to the script's process, which holds nothing else of ours.
import { makeCalls } from "./calls.ts";
import { defineDialect } from "./dialect.ts";
import { KEPT_NAMES, lockDown } from "./lockdown.ts";
import { makeValueTools } from "./values.ts";

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
