import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkLine, renderText, renderWords } from "../../../src/workflow/definition/template.ts";
import { faultOf } from "../../support/faults.ts";
import { inTier } from "../../support/tier.ts";

const KNOWN = { roots: ["inputs", "output"], inputs: ["a"], stages: [] };
const at = () => ({ file: "f" });

describe("a text", () => {
  test("has its values in it, those with parts as JSON, and nothing where nothing is", () => {
    const scope = {
      inputs: { a: "x", n: 3 },
      output: { list: ["a", "b"] },
      check: { output: null },
    };
    expect(
      renderText(
        "{{ inputs.a }}-{{ inputs.n }}-{{ output.list }}-{{ check.output }}-{{ output.no.way }}",
        scope,
      ),
    ).toBe('x-3-["a","b"]--');
  });

  test("takes no value for a template, an import or a command", () => {
    const value = "{{ inputs.b }} {% raw %} @./secret !`rm -rf /` `{{`";
    expect(renderText("say {{ inputs.a }}", { inputs: { a: value, b: "no" } })).toBe(
      `say ${value}`,
    );
  });

  test("puts values into code as well, and keeps what is escaped", () => {
    expect(
      renderText("run `{{ inputs.a }}` not \\{{ this }} but \\n", { inputs: { a: "x" } }),
    ).toBe("run `x` not {{ this }} but \\n");
  });

  test("may loop and choose", () => {
    const text =
      "{% for one in output %}{{ forloop.index }}:{{ one }} {% endfor %}{%- if no %}x{% endif %}";
    expect(renderText(text, { output: ["a", "b"] })).toBe("1:a 2:b ");
  });
});

describe("a line", () => {
  test("is split before its values are in it", () => {
    const scope = {
      inputs: { a: "two words; rm -rf 'x' \\ \"", none: "" },
      output: ["one", "2 3"],
    };
    expect(
      renderWords(
        `release {{ inputs.a }} "as {{ inputs.a }}" --level={{ output.0 }} {{ output }} {{ inputs.none }} end`,
        scope,
      ),
    ).toEqual([
      "release",
      scope.inputs.a,
      `as ${scope.inputs.a}`,
      "--level=one",
      "one",
      "2 3",
      "end",
    ]);
  });

  test.each(["echo", "capture", "liquid", "cycle", "increment"])("has no tag %s", async (tag) => {
    const { message } = await faultOf(() => checkLine(`test {% ${tag} a %}`, KNOWN, at));
    expect(message).toBe(`f: the Liquid tag \`${tag}\` is off here`);
  });

  test("has no filter that prints past its words", async () => {
    const { message } = await faultOf(() => checkLine("test {{ inputs.a | raw }}", KNOWN, at));
    expect(message).toBe("f: the Liquid filter `raw` is off here");
  });

  test("keeps every value one word", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 1 }).filter((text) => text.isWellFormed()),
        (value) => {
          expect(renderWords("x {{ inputs.a }} y", { inputs: { a: value } })).toEqual([
            "x",
            value,
            "y",
          ]);
          expect(renderWords("x 'p{{ inputs.a }}' y", { inputs: { a: value } })).toEqual([
            "x",
            `p${value}`,
            "y",
          ]);
        },
      ),
      { numRuns: inTier(200, 5_000) },
    );
  });
});
