import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/core/command/context.ts";
import { parseParamValue } from "../../src/core/project/param-value.ts";
import { applyParamChange, readParamChange } from "../../src/session/param-change.ts";

const read = (...assignments: string[]) =>
  readParamChange({ assignments, unset: [], reset: false });

describe("a value", () => {
  test.each<[string, JsonValue]>([
    ["0.2", 0.2],
    ["-3", -3],
    ["true", true],
    ["null", null],
    ['"quoted"', "quoted"],
    ["plain", "plain"],
    ["", ""],
    ["[1]", "[1]"],
    ["{}", "{}"],
    ["12345678901234567890", "12345678901234567890"],
    ["1e400", "1e400"],
    ["0x10", "0x10"],
    [" 1", 1],
  ])("%j is read as %j", (text, value) => {
    expect(parseParamValue(text)).toEqual(value);
  });

  test("is a JSON scalar, or the very text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const value = parseParamValue(text);
        if (typeof value === "string" && value !== text) expect(JSON.parse(text)).toBe(value);
        expect(typeof value === "object" && value !== null).toBe(false);
      }),
    );
  });
});

describe("a path", () => {
  test.each(["temperature", "a.b", "max_tokens", "a-b.c9", "a.0.b"])("`%s` is accepted", (path) => {
    expect(read(`${path}=1`)).toMatchObject({ kind: "accepted" });
  });

  test.each([
    "__proto__",
    "a.__proto__",
    "constructor.x",
    "a.prototype.b",
    "",
    ".",
    "a..b",
    "a b",
    "-a",
    "a[0]",
    `ghp_${"a1B2".repeat(9)}`,
  ])("`%s` is refused", (path) => {
    expect(read(`${path}=1`)).toMatchObject({ kind: "refused" });
    const unset = readParamChange({ assignments: [], unset: [path], reset: false });
    expect(unset.kind).toBe("refused");
  });

  test("without a value is refused", () => {
    expect(read("temperature")).toMatchObject({ kind: "refused" });
  });

  test("given twice, or set and unset at once, is refused", () => {
    expect(read("a=1", "a=2")).toMatchObject({ kind: "refused", problem: "`a` is given twice" });
    const both = readParamChange({ assignments: ["a=1"], unset: ["a"], reset: false });
    expect(both).toMatchObject({ kind: "refused", problem: "`a` is both set and unset" });
  });
});

describe("a secret", () => {
  const SECRET = `ghp_${"a1B2".repeat(9)}`;

  test.each([
    `note=${SECRET}`,
    `note=before ${SECRET} after`,
    "api.key=short",
    "apiKey=short",
    "auth.token=7",
    "CLIENT_SECRET=x",
    "db.password=hunter2",
  ])("in `%s` is refused, and not repeated", (word) => {
    const decision = read(word);
    expect(decision).toMatchObject({ kind: "refused" });
    const value = word.slice(word.indexOf("=") + 1);
    if (value.length > 3) expect(JSON.stringify(decision)).not.toContain(value);
  });

  test.each(["api.key=env:API_KEY", "use_token=true", "api.key=null", "max_tokens=7", "keys=a"])(
    "is not seen in `%s`",
    (word) => {
      expect(read(word)).toMatchObject({ kind: "accepted" });
    },
  );
});

describe("a change of params", () => {
  const change = (assignments: string[], unset: string[] = [], reset = false) => {
    const decision = readParamChange({ assignments, unset, reset });
    if (decision.kind !== "accepted") throw new Error(decision.problem);
    return decision.value;
  };
  const before = { a: 1, "b.x": 2, "b.y": 3 };

  test.each<[string, ReturnType<typeof change>, object]>([
    ["sets", change(["a=2", "c=3"]), { a: 2, "b.x": 2, "b.y": 3, c: 3 }],
    ["unsets", change([], ["a"]), { "b.x": 2, "b.y": 3 }],
    ["unsets all below a path", change([], ["b"]), { a: 1 }],
    ["resets before it sets", change(["z=1"], [], true), { z: 1 }],
    [
      "gives room by unsetting first",
      change(["b=1"], ["b"].map((path) => `${path}.x`).concat("b.y")),
      { a: 1, b: 1 },
    ],
  ])("%s", (_, given, after) => {
    expect(applyParamChange(before, given)).toEqual({ kind: "accepted", value: after });
  });

  test("is refused as a whole for one path that is not set", () => {
    expect(applyParamChange(before, change(["a=2"], ["b.z"]))).toMatchObject({
      kind: "refused",
      problem: "`b.z` is not set; did you mean `b.x`?",
    });
  });

  test("is refused where a path would be both a value and a map", () => {
    for (const word of ["b=1", "a.c=1"])
      expect(applyParamChange(before, change([word])).kind).toBe("refused");
  });

  test("leaves what it was given as it was", () => {
    const frozen = Object.freeze({ ...before });
    applyParamChange(frozen, change(["a=9"], ["b"]));
    expect(frozen).toEqual(before);
  });

  test("ends where setting one by one ends", () => {
    const paths = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(paths, (some) => {
        const words = some.filter((path) => read(`${path}=1`).kind === "accepted");
        const together = applyParamChange({}, change(words.map((path) => `${path}=1`)));
        const oneByOne = words.reduce<Record<string, JsonValue>>((params, path) => {
          const next = applyParamChange(params, change([`${path}=1`]));
          return next.kind === "accepted" ? { ...next.value } : params;
        }, {});
        expect(together).toEqual({ kind: "accepted", value: oneByOne });
      }),
    );
  });
});
