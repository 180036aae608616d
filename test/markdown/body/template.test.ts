import { describe, expect, it, test } from "vitest";
import type { BodyContext } from "../../../src/markdown/body/context.ts";
import { longTest } from "../../support/tier.ts";
import { makePlace, type Place } from "./body-context.ts";

const variables: BodyContext["variables"] = {
  focus: "the {{ focus }}",
  args: ["a b", "it's", "c"],
  arg1: "a b",
  count: 3,
  isOn: false,
  unset: null,
};

const show = (text: string, place: Place = makePlace()) => place.prompt(text, { variables });

describe("variables", () => {
  test.each([
    ["{{ focus }}", "the {{ focus }}"],
    ["{{ args }}", "a b it's c"],
    ["{{ args[0] }} {{ args[2] }} {{ args.first }} {{ args.size }}", "a b c a b 3"],
    ["{{ args | sort | reverse }}", "it's c a b"],
    ["{{ args | join: ', ' }}", "a b, it's, c"],
    ["{{ arg1 }}", "a b"],
    ["{{ count }}{{ isOn }}[{{ unset }}]", "3false[]"],
    ["{{ 'a}}b' | upcase }}", "A}}B"],
    ["{{ unset | default: 'none' }}", "none"],
    ["{% capture x %}<{{ count }}>{% endcapture %}{{ x }}{{ x }}", "<3><3>"],
  ])("%j is %j", async (text, shown) => {
    expect(await show(text)).toBe(shown);
  });

  it("are an error where nobody defines them, in a branch not taken too", async () => {
    expect(await makePlace().problem("a\n{% if isOn %}{{ focsu }}{% endif %}", { variables })).toBe(
      "review.md:6:17: no variable `focsu` is defined; did you mean `focus`? name it under `inputs`, or write `\\{{` for the characters themselves",
    );
  });

  test.each([
    "{{ focus.constructor }}",
    "{{ args.__proto__ }}",
    "{{ constructor }}",
    "{{ __proto__ }}",
    "{{ git.constructor }}",
    "{{ args.map }}",
    "{{ toString }}",
  ])("%j reaches nothing that was not given", async (text) => {
    expect(await makePlace().problem(text, { variables })).toContain(" is defined");
  });

  it("with parts cannot be shown", async () => {
    expect(await makePlace().problem("{{ git }}")).toBe(
      "review.md:5:1: the body shows a value that has parts, such as `git` without `.branch`; show less: a part of the value, or fewer rounds of a loop",
    );
  });

  it("take the branch from git only where it is mentioned", async () => {
    const place = makePlace();
    let asked = 0;
    const readBranch = async () => {
      asked += 1;
      return "topic";
    };
    expect(await place.prompt("no mention", { readBranch })).toBe("no mention");
    expect(asked).toBe(0);
    expect(await place.prompt("on {{ git.branch }}", { readBranch })).toBe("on topic");
    expect(asked).toBe(1);
  });

  it("know no branch outside a repository", async () => {
    expect(await makePlace().prompt("[{{ git.branch }}]")).toBe("[]");
  });
});

describe("control flow", () => {
  test.each([
    ["{% if count > 2 %}many{% else %}few{% endif %}", "many"],
    ["{% for arg in args %}<{{ arg }}>{% endfor %}", "<a b><it's><c>"],
    ["{% unless isOn %}off{% endunless %}", "off"],
    ["{% case count %}{% when 3 %}three{% endcase %}", "three"],
    ["{% liquid\n assign x = count | plus: 1\n echo x\n%}", "4"],
  ])("%j is %j", async (text, shown) => {
    expect(await show(text)).toBe(shown);
  });

  it("does not reach what stands in a branch that is not taken", async () => {
    const text = "{% if isOn %}!`exit 1` @./missing.md @https://nowhere.example/{% endif %}done";
    expect(await show(text)).toBe("done");
  });

  longTest("ends loops that would go on for too long", async () => {
    const loop = (inner: string) => `{% for i in (1..30000) %}${inner}{% endfor %}`;
    const problem = "the template takes too long or too much memory; shorten its loops";
    const place = makePlace();
    expect(await place.problem("{% for i in (1..999999999) %}{% endfor %}")).toContain(problem);
    expect(await place.problem(loop(loop(loop(" "))))).toContain("review.md:5:");
    expect(
      await place.problem(`{% assign x = 'ab' %}${loop("{% assign x = x | append: x %}")}`),
    ).toContain(problem);
  });

  it("refuses a loop over a thousand directives", async () => {
    expect(await makePlace().problem("{% for i in (1..1001) %}!`true`{% endfor %}")).toContain(
      "review.md:5:25: the body reaches more than 1000 imports and commands",
    );
  });
});
