import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { Fault } from "../../../src/core/command/fault.ts";
import { listEffects, listVariables, mentionsStdin } from "../../../src/markdown/body/body.ts";
import { makePlace, parse, parseProblem } from "./body-context.ts";

const effectsOf = (text: string) =>
  listEffects(parse(text)).map(
    ({ kind, subject, where }) => `${kind} ${subject} ${where.line}:${where.column}`,
  );

describe("what is a directive", () => {
  test.each([
    ["@./a.md", ["file ./a.md 5:1"]],
    ["see @../b.md.", ["file ../b.md 5:5"]],
    ["(see @~/c.md)", ["file ~/c.md 5:6"]],
    ["[@/etc/hosts]", ["file /etc/hosts 5:2"]],
    ["<rules>@./a.md</rules>", ["file ./a.md 5:8"]],
    ['"@./a.md"', ["file ./a.md 5:2"]],
    ["one\r\ntwo @./a.md\r\n", ["file ./a.md 6:5"]],
    ["@./src/**/*.ts,", ["glob ./src/**/*.ts 5:1"]],
    ["@./src/{a,b}.ts", ["glob ./src/{a,b}.ts 5:1"]],
    ["(@./src/{a,b}.ts)", ["glob ./src/{a,b}.ts 5:2"]],
    ["@./my\\ file.md", ["file ./my\\ file.md 5:1"]],
    ["@./a.ts:10-50!", ["file ./a.ts:10-50 5:1"]],
    ["@./a.md#Some\\ title?", ["file ./a.md#Some\\ title 5:1"]],
    ["@https://example.com/a?b=c#d", ["url https://example.com/a?b=c#d 5:1"]],
    ["!`git diff`", ["command git diff 5:1"]],
    ["<diff>!`git diff`</diff>", ["command git diff 5:7"]],
    ["!``echo `date` ``", ["command echo `date` 5:1"]],
    ["!`a`!`b`", ["command a 5:1", "command b 5:5"]],
    ["{% if x %}@./a.md{% endif %}", ["file ./a.md 5:11"]],
    ["{{ x }}@./a.md", ["file ./a.md 5:8"]],
    ["`code` and !`ls`", ["command ls 5:12"]],
    ["one ` tick\n\nother ` tick @./a.md", ["file ./a.md 7:14"]],
    ["\\\\@./a.md", ["file ./a.md 5:3"]],
  ])("%j", (text, effects) => {
    expect(effectsOf(text)).toEqual(effects);
  });
});

const TEXT = [
  ["an address of a person", "user@host.example and a@./b.md"],
  ["a scope of npm and a decorator", "@scope/pkg, @decorator, @media, @ ./x"],
  ["bare beginnings", "@./ and @/ and @~/ and @../ and @https://"],
  ["a word before the mark", "wow!`ls`"],
  ["an image", "![alt](x.png)"],
  ["one brace", "{ a } {a: {b: 1}}"],
  ["code", "`{{ x }}` and `@./a.md` and ``!`ls` ``"],
  ["code over two lines", "`{{ x }}\n@./a.md`"],
  ["a fence", "```\n{{ x }} @./a.md !`ls`\n```"],
  ["a fence with a language", "```ts\n@./a.md\n```\n"],
  ["a fence of tildes", "~~~ `x`\n{% if %}\n```\n{{ y }}\n~~~"],
  ["a longer fence around another", "````\n```\n{{ x }}\n```\n@./a.md\n````"],
  ["a fence in a list and in a quotation", "- ```\n  {{ x }}\n  ```\n> ```\n> @./a.md\n> ```"],
  ["a fence that is never closed", "```\n{{ x }}\n@./a.md"],
  ["a fence with CRLF", "```\r\n{{ x }}\r\n```\r\nend"],
  ["a backtick that is never closed", "a ` b"],
] as const;

describe("what is text", () => {
  test.each(TEXT)("%s stays as it is", async (_, text) => {
    const place = makePlace();
    expect(effectsOf(text)).toEqual([]);
    expect(await place.prompt(text)).toBe(text);
  });

  test.each([
    ["\\@./a.md", "@./a.md"],
    ["\\@scope", "@scope"],
    ["\\{{ x }}", "{{ x }}"],
    ["\\{% if %}", "{% if %}"],
    ["\\!`ls`", "!`ls`"],
    ["\\`{{ 1 }}\\`", "\\`1\\`"],
    ["\\\\{{ 1 }}", "\\1"],
    ["a \\ b \\n \\\\ c", "a \\ b \\n \\\\ c"],
    ["{% raw %}{{ x }} @./a.md !`ls` \\@{% endraw %}", "{{ x }} @./a.md !`ls` \\@"],
    ["a {%- raw -%} {{ x }} {%- endraw -%} b", "a {{ x }} b"],
    ["a{% comment %} {{ @./nope !`exit 1` {% endcomment %}b", "ab"],
    ["a\n{%- # a note -%}\nb", "ab"],
    ["{{ 1 -}}  \n x {{- 2 }}", "1x2"],
  ])("%j is %j", async (text, shown) => {
    expect(await makePlace().prompt(text)).toBe(shown);
  });
});

describe("what cannot be read is said with its place and what to do", () => {
  test.each([
    [
      "a\n  {{ x",
      "review.md:6:3: `{{` is not closed; close it with `}}`, or write `\\{{` for the characters themselves",
    ],
    [
      "{% if x",
      "review.md:5:1: `{%` is not closed; close it with `%}`, or write `\\{%` for the characters themselves",
    ],
    ["{{ 'x }}", "review.md:5:4: a quote within `{{` is not closed; close it"],
    [
      "a\n{% if x %}b",
      "review.md:6:1: `{% if %}` is not closed; close it with `{% endif %}`, outside of code, where tags are text",
    ],
    ["{% raw %}x", "review.md:5:1: `{% raw %}` is not closed; close it with `{% endraw %}`"],
    [
      "{% endif %}",
      "review.md:5:1: `{% endif %}` closes nothing that is open here; remove it, or open its block outside of code, where tags are text",
    ],
    [
      "{% iff x %}",
      "review.md:5:1: unknown Liquid tag `iff`; did you mean `if`? write `\\{%` for the characters themselves",
    ],
    [
      "{% include 'a' %}",
      "review.md:5:1: the Liquid tag `include` is off; import a file with `@./file`",
    ],
    [
      "{% render 'a' %}",
      "review.md:5:1: the Liquid tag `render` is off; import a file with `@./file`",
    ],
    [
      "{% layout 'a' %}",
      "review.md:5:1: the Liquid tag `layout` is off; import a file with `@./file`",
    ],
    [
      "{% liquid\n include 'a'\n%}",
      "review.md:6:2: the Liquid tag `include` is off; import a file with `@./file`",
    ],
    [
      "x {{ x | upcas }}",
      "review.md:5:3: unknown Liquid filter `upcas`; did you mean `upcase`? use a filter of Liquid's",
    ],
    [
      "{{ }}",
      'review.md:5:4: Liquid cannot read this: invalid value expression: ""; mend it, or write `\\{{` or `\\{%` for the characters themselves',
    ],
    [
      "!` `",
      "review.md:5:1: an inline command is empty; write it as !`command`, or `\\!` for the characters themselves",
    ],
    [
      "@./{{ x }}.md",
      "review.md:5:1: `@./` is followed by `{{`: no variable may choose what is imported; choose between imports with `{% if %}`, or put a blank between them",
    ],
    [
      "@./a.md:9-3",
      "review.md:5:1: `@./a.md:9-3` ends at line 3, before it begins; write it as `:3-9`",
    ],
    ["@./a.md:0", "review.md:5:1: `@./a.md:0` begins at line 0; lines are counted from 1"],
    [
      "@./*.md:1-2",
      "review.md:5:1: `@./*.md:1-2` asks for a part of many files; import one file by its path, or all of them whole",
    ],
    [
      "@./a.md#",
      "review.md:5:1: `@./a.md#` names no section after `#`; give a heading, or remove the `#`",
    ],
    [
      "@./a.md:1-2#x",
      "review.md:5:1: `@./a.md:1-2#x` has lines and a section; give the one or the other",
    ],
    [
      "@https://a:b@example.com/",
      "review.md:5:1: `@https://a:b@example.com/` contains a password; import from an address that needs none",
    ],
    [
      "{% capture x %}!`ls`{% endcapture %}",
      "review.md:5:16: `!`ls`` stands in `{% capture %}`; put it where it is to appear: what is inserted cannot be worked on",
    ],
  ])("%j", (text, problem) => {
    expect(parseProblem(text)).toBe(problem);
  });
});

describe("what a body uses", () => {
  it("lists the variables it does not define itself, in order of appearance", () => {
    const body = parse(
      "{{ b.c }} {% assign own = a | append: d %}{{ own }}{% for f in args %}{{ f }}{{ forloop.index }}{% endfor %}",
    );
    expect(listVariables(body)).toEqual(["b", "a", "d", "args"]);
  });

  test.each([
    ["{{ stdin }}", true],
    ["{% if stdin %}x{% endif %}", true],
    ['!`wc -l <<< "$stdin"`', true],
    ["!`echo $" + "{stdin}`", true],
    ["stdin `{{ stdin }}` !`echo $stdinx`", false],
  ])("%j mentions stdin: %s", (text, expected) => {
    expect(mentionsStdin(parse(text))).toBe(expected);
  });

  it("says which effects may not be reached", () => {
    const body = parse("@./a.md {% if x %}!`ls`{% endif %} !`pwd`");
    expect(listEffects(body).map(({ isConditional }) => isConditional)).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe("whatever is written", () => {
  const fragments = fc.constantFrom(
    ...[
      "{{",
      "}}",
      "{%",
      "%}",
      "-",
      " if ",
      " x ",
      "endif",
      "raw",
      "endraw",
      "comment",
      "`",
      "```",
      "\n",
    ],
    ...[
      "@./",
      "a.md",
      "\\",
      "!",
      "#",
      ":1-2",
      "'",
      '"',
      "~~~",
      "\r\n",
      "@https://",
      "é",
      "{",
      "for i in",
      "*",
    ],
  );

  it("is parsed, or refused with a place within the text", () => {
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        try {
          parse(text);
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          const line = text.split("\n")[(error.where?.line ?? 0) - 5];
          expect(line).toBeDefined();
          expect(error.where?.column).toBeLessThanOrEqual((line?.length ?? 0) + 1);
          expect(error.hint).not.toBeNull();
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it("stays as it is in a fence", async () => {
    const place = makePlace();
    await fc.assert(
      fc.asyncProperty(fc.array(fragments, { maxLength: 30 }), async (parts) => {
        const text = `\`\`\`\`\`\`\n${parts.join("")}\n\`\`\`\`\`\`\n`;
        fc.pre(!parts.join("").includes("``````"));
        expect(await place.prompt(text)).toBe(text);
      }),
    );
  });

  it("is what it was once its marks are escaped", async () => {
    const place = makePlace();
    const marks = fc.constantFrom("{{ x }}", "{% if %}", "@./a.md", "@~/x", " ", "text", "\n", "é");
    await fc.assert(
      fc.asyncProperty(fc.array(marks, { maxLength: 20 }), async (parts) => {
        const text = parts.join("");
        const escaped = text.replaceAll(/@|\{\{|\{%/g, (mark) => `\\${mark}`);
        expect(await place.prompt(escaped)).toBe(text);
      }),
    );
  });
});
