const assert = require("node:assert");
const { average } = require("./average.js");

assert.equal(average([]), 0);
assert.equal(average([2, 4]), 3);
assert.equal(average([0]), 0);
