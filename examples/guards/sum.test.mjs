import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "./sum.mjs";

test("numbers are added up", () => assert.equal(sum([1, 2, 3]), 6));
