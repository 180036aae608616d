import { describe, expect, it } from "vitest";
import { makePlace, parse } from "./body-context.ts";

const MEGABYTE = 1024 * 1024;

describe("a large prompt", () => {
  it("of 5 MB is assembled whole, from every source", async () => {
    const line = "{{ x }} @./a.md !`touch no` </file>\n";
    const text = line.repeat(Math.ceil((5 * MEGABYTE) / line.length));
    const place = makePlace({ "commands/large.md": text });
    const made = await place.assemble("[{{ stdin }}] @./large.md", { variables: { stdin: text } });
    const expected = `[${text}] <file-2 path="./large.md">\n${text}</file-2>`;
    // Not `toBe`: a difference would be printed, all ten megabytes of it.
    expect(made.prompt === expected).toBe(true);
    expect(made.tokens).toBe(Math.ceil(made.prompt.length / 4));
  });
});

// Bounds an order of magnitude above what a linear walk takes; a quadratic one misses them by far.
describe("a text that could take quadratic time", () => {
  const times = 200_000;
  it.each([
    [
      "backticks of growing length",
      Array.from({ length: 1_500 }, (_, n) => "`".repeat(n + 1)).join(" "),
    ],
    ["code spans in one paragraph", "`a` ".repeat(times)],
    ["backticks without an end", "` \n\n".repeat(times)],
    ["fences", "```\n@./a.md\n```\n".repeat(20_000)],
    ["marks that begin nothing", "@a !b {c \\d ".repeat(times)],
    ["blanks", `${" ".repeat(times)}\n`.repeat(5)],
    ["quotations", ">".repeat(times)],
    ["escapes", "\\\\\\@\\{{".repeat(times)],
    ["one long path", `@./${"a".repeat(times)})`],
    ["one long path of brackets", `@./${"(".repeat(2_000)}${")".repeat(2_000)}`],
  ])("%s", (_, text) => {
    expect(() => parse(text)).not.toThrow();
  });

  it("variables and directives by the thousand", () => {
    const text = `${"x".repeat(100)} {{ a }} {{ b }} @./c.md\n`.repeat(5_000);
    expect(parse(text).directives).toHaveLength(5_000);
  });

  it("headings and code that were made for it", async () => {
    const place = makePlace({
      "commands/a.md": `# ${"#".repeat(times)}x\nx${" ".repeat(times)}y\n# ${" ".repeat(times)}#\n# End\n`,
      "commands/a.ts": `${"type X = { a: 1 }\n".repeat(5_000)}interface End {}\n`,
      "commands/b.ts": `${"type ".repeat(times)}\n`,
    });
    expect(await place.prompt("@./a.md#End")).toContain("# End");
    expect(await place.prompt("@./a.ts#End")).toContain("interface End {}");
    expect(await place.problem("@./b.ts#End")).toContain("cannot be read as code");
  });
});
