const assert = require("node:assert");
const { range } = require("./range.js");

assert.deepEqual(range(1, 3), [1, 2, 3]);
assert.deepEqual(range(2, 2), [2]);
assert.deepEqual(range(3, 1), []);
