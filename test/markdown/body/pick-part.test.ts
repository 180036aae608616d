import { describe, expect, it, test } from "vitest";
import { makePlace } from "./body-context.ts";

const GUIDE = `# Guide

intro

## Set up, now!
do this
### Detail
\`\`\`
## not a heading
\`\`\`
## Closed ##
closed
Setext
------
under
`;

const bodyOf = (wrapped: string) => wrapped.replace(/^<file [^>]*>\n/, "").replace(/<\/file>$/, "");

describe("a heading", () => {
  test.each([
    ["Guide", GUIDE],
    ["guide", GUIDE],
    ["Set\\ up,\\ now!\\!", "## Set up, now!\ndo this\n### Detail\n```\n## not a heading\n```\n"],
    ["set-up-now", "## Set up, now!\ndo this\n### Detail\n```\n## not a heading\n```\n"],
    ["Detail", "### Detail\n```\n## not a heading\n```\n"],
    ["Closed", "## Closed ##\nclosed\n"],
    ["Setext", "Setext\n------\nunder\n"],
  ])("#%s", async (name, expected) => {
    const place = makePlace({ "commands/guide.md": GUIDE });
    const written = name.replace("!\\!", "\\!");
    expect(bodyOf(await place.prompt(`@./guide.md#${written}`))).toBe(expected);
  });

  it("that is not there is an error that names others", async () => {
    const place = makePlace({ "commands/guide.md": GUIDE, "commands/flat.md": "text\n" });
    expect(await place.problem("@./guide.md#detial")).toBe(
      "review.md:5:1: `@./guide.md#detial` names a heading that the file does not have; it has `Detail`; write a blank as `\\ ` or use the anchor",
    );
    expect(await place.problem("@./flat.md#x")).toContain("the file has no headings");
  });

  it("with CRLF is found too", async () => {
    const place = makePlace({ "commands/a.md": "# A\r\na\r\n# B\r\nb\r\n" });
    expect(bodyOf(await place.prompt("@./a.md#A"))).toBe("# A\r\na\r\n");
  });
});

const CODE = `import { x } from "./x.ts";

/** Doc of A. */
export interface A<T> {
  b: { c: "}" | T }; // }
}

type Alias =
  | { kind: "a;b" }
  | (() => void)

export type Other = \`x\${string}\`; type Third = 1;

// about f
// in two lines
export async function f<T extends { é: string }>(a: T): Promise<T> {
  return a;
}
const loose = 1 as number;

export const { q, w: [e = 2], ...rest } = x(), z = "日本";
export default class K<T> extends Base<T> { #m: T; }
declare function later(a: string): void;
let last
`;

describe("a symbol", () => {
  test.each([
    ["A", '/** Doc of A. */\nexport interface A<T> {\n  b: { c: "}" | T }; // }\n}\n'],
    ["Alias", 'type Alias =\n  | { kind: "a;b" }\n  | (() => void)\n'],
    ["Other", "export type Other = `x$" + "{string}`;\n"],
    ["Third", "type Third = 1;\n"],
    [
      "f",
      "// about f\n// in two lines\nexport async function f<T extends { é: string }>(a: T): Promise<T> {\n  return a;\n}\n",
    ],
    ["loose", "const loose = 1 as number;\n"],
    ["e", 'export const { q, w: [e = 2], ...rest } = x(), z = "日本";\n'],
    ["rest", 'export const { q, w: [e = 2], ...rest } = x(), z = "日本";\n'],
    ["z", 'export const { q, w: [e = 2], ...rest } = x(), z = "日本";\n'],
    ["K", "export default class K<T> extends Base<T> { #m: T; }\n"],
    ["default", "export default class K<T> extends Base<T> { #m: T; }\n"],
    ["later", "declare function later(a: string): void;\n"],
    ["last", "let last\n"],
  ])("%s of TypeScript", async (name, expected) => {
    const place = makePlace({ "commands/code.ts": CODE });
    expect(bodyOf(await place.prompt(`@./code.ts#${name}`))).toBe(expected);
  });

  it("of JavaScript", async () => {
    const place = makePlace({
      "commands/code.js": "#!/usr/bin/env node\nfunction a() {}\nvar b = 1",
    });
    expect(bodyOf(await place.prompt("@./code.js#b"))).toBe("var b = 1\n");
  });

  it("that cannot be found is an error that says why", async () => {
    const place = makePlace({
      "commands/code.ts": CODE,
      "commands/enum.ts": "enum E { a }\nexport const x = 1;",
      "commands/broken.js": "const = 1",
      "commands/view.tsx": "export const V = () => <p/>;",
      "commands/a.txt": "a",
    });
    const table = [
      ["@./code.ts#lose", "names nothing that the file declares at its top level; it has `loose`"],
      ["@./enum.ts#x", "cannot be found: the file cannot be read as code: "],
      [
        "@./broken.js#x",
        "cannot be found: the file cannot be read as code: Unexpected token (1:6); import its lines, as in `:10-50`",
      ],
      [
        "@./view.tsx#V",
        "names a section of a file that has none; sections are headings of Markdown and declarations",
      ],
      ["@./a.txt#a", "names a section of a file that has none"],
    ] as const;
    for (const [written, problem] of table)
      expect(await place.problem(written)).toContain(`review.md:5:1: \`${written}\` ${problem}`);
  });
});
