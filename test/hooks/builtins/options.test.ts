import { describe, expect, it } from "vitest";
import { builtinNames, findBuiltin } from "../../../src/hooks/builtins/builtins.ts";
import { readBuiltinOptions } from "../../../src/hooks/builtins/options.ts";

const NEEDED: Readonly<Record<string, unknown>> = {
  "protect-paths": { paths: [".env"] },
  "rate-limit": { limit: 1, per: "1m" },
  "run-before-stop": { argv: ["true"] },
  "tests-before-stop": { argv: ["npm", "test"] },
};

it("the builtins are these", () => {
  expect(builtinNames()).toEqual([
    ...["allow", "ask", "ask-network", "audit", "deny", "git", "no-secrets", "protect-paths"],
    ...["rate-limit", "redact", "require-approval", "rm", "run-before-stop", "tests-before-stop"],
  ]);
  expect(findBuiltin("nothing")).toBeNull();
});

describe.each(builtinNames())("%s", (name) => {
  const builtin = findBuiltin(name);
  it("says in one line what it does, and where it has something to say", () => {
    expect(builtin?.name).toBe(name);
    expect(builtin?.description).toMatch(/^[a-z].*[^.\n]$/);
    expect(builtin?.steps.length).toBeGreaterThan(0);
  });
  it("takes what it needs and nothing it does not know", () => {
    const needed = NEEDED[name];
    expect(readBuiltinOptions(name, needed)).toMatchObject({ kind: "options" });
    expect(readBuiltinOptions(name, null).kind).toBe(needed === undefined ? "options" : "invalid");
    const given = { ...Object(needed), nonsense: 1 };
    expect(readBuiltinOptions(name, given)).toMatchObject({ kind: "invalid", path: ["nonsense"] });
    expect(readBuiltinOptions(name, [])).toMatchObject({ kind: "invalid", path: [] });
  });
});

describe("a wrong option is told with its place", () => {
  it.each<[string, unknown, (string | number)[], string]>([
    ["deny", { reason: 5 }, ["reason"], "`reason` must be text"],
    ["deny", { raeson: "x" }, ["raeson"], "unknown key `raeson`; did you mean `reason`?"],
    ["audit", { x: 1 }, ["x"], "unknown key `x`; this builtin has no options"],
    ["rate-limit", { limit: 0, per: "1m" }, ["limit"], "`limit` must be a whole number above 0"],
    ["rate-limit", { limit: 1 }, ["per"], "`per` is missing"],
    [
      "rate-limit",
      { limit: 1, per: 5 },
      ["per"],
      "`per` must be a duration such as `5s`, `10m` or `1h`",
    ],
    ["protect-paths", { paths: [] }, ["paths"], "`paths` is empty"],
    ["protect-paths", { paths: ["a", 1] }, ["paths", 1], "`paths` must be a list of texts"],
    [
      "protect-paths",
      { paths: "a", access: ["x"] },
      ["access", 0],
      "`access` must be of `read`, `write`",
    ],
    ["git", { action: "x" }, ["action"], "`action` must be one of `deny`, `ask`"],
    ["no-secrets", { commits: 1 }, ["commits"], "`commits` must be true or false"],
  ])("%s with %j", (name, raw, path, problem) => {
    expect(readBuiltinOptions(name, raw)).toEqual({ kind: "invalid", path, problem });
  });
});
