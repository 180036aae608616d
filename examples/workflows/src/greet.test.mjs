import assert from "node:assert/strict";
import { test } from "node:test";
import { greet } from "./greet.mjs";

test("it greets", () => assert.match(greet("Ada"), /^hello/));
