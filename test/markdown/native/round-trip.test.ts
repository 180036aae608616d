// From our format to an agent's and back: what a command says stays the same.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NativeFormat } from "../../../src/agents/native/format.ts";
import { areSameParts, joinTextParts, type NativePart } from "../../../src/agents/native/format.ts";
import { splitFrontMatter } from "../../../src/core/project/front-matter.ts";
import { importNativeCommand } from "../../../src/markdown/native/import-command.ts";
import { printOwnBody, readOwnParts } from "../../../src/markdown/native/own-body.ts";
import { FORMATS } from "../../support/agents.ts";
import { inTier } from "../../support/tier.ts";
import { translate } from "./translate.ts";

/** Pieces that mean something to somebody, here or there, and what stands between. */
const TEXT = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.string({ maxLength: 6 }) },
      fc.constantFrom(
        ...["$1", "$0", "$ARGUMENTS", "$ARGUMENTS[1]", "\\", "\\$", "!", "!`ls`", "@", "@./a.md"],
        ...["{{args}}", "{{ args }}", "!{ls}", "@{a}", "{% raw %}", "{% endraw %}", "{%", "{{"],
        ...[
          "`",
          "```",
          "~~~",
          "\n",
          "\n\n",
          " ",
          "```\nx\n```\n",
          "`x`",
          "\\@/x",
          "$" + "{CLAUDE_X}",
        ],
        ...["---\n", "'''", "a@b.c", "\t", "> ", "- "],
      ),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join("").replaceAll("\r", ""));

const PLACE: fc.Arbitrary<NativePart> = fc.oneof(
  fc.constant<NativePart>({ kind: "all" }),
  fc.nat(3).map((at): NativePart => ({ kind: "word", at })),
);
const PARTS = fc
  .array(
    fc.oneof(
      TEXT.map((text): NativePart => ({ kind: "text", text })),
      PLACE,
    ),
    { maxLength: 6 },
  )
  .map(joinTextParts);

const partsOf = (body: string) => {
  const read = readOwnParts(body);
  if (read.kind !== "parts") throw new Error(read.why);
  return read.parts;
};

describe("a body of ours", () => {
  test("can say any text with places in it", () => {
    fc.assert(
      fc.property(PARTS, (parts) => {
        const body = printOwnBody(parts);
        expect(body).not.toBeNull();
        expect(partsOf(body ?? "")).toEqual(parts);
      }),
      { numRuns: inTier(300, 1_000) },
    );
  });
});

const bringBack = (format: NativeFormat, text: string): string => {
  const [source] = format.sourcesOf("project", { env: {}, home: "/home", root: "/project" });
  const native = source?.read(text, "x");
  if (native === undefined) throw new Error("no source");
  const taken = importNativeCommand({ ...native, format, name: "it", importPath: () => null });
  expect(taken?.problems).toEqual([]);
  return splitFrontMatter(taken?.text ?? "", "it.md").body;
};

describe.each(FORMATS)("$agent", (format) => {
  test("what is translated comes back the same, and the second time to the letter", () => {
    let translated = 0;
    fc.assert(
      fc.property(PARTS, (parts) => {
        const body = printOwnBody(parts) ?? "";
        const native = translate(format, body);
        if (native.kind === "relay") return;
        translated += 1;
        const back = bringBack(format, native.text);
        expect(areSameParts(partsOf(back), parts)).toBe(true);
        const again = translate(format, back);
        expect(again.text).toBe(native.text);
        expect(bringBack(format, again.text)).toBe(back);
      }),
      { numRuns: 200 },
    );
    expect(translated).toBeGreaterThan(20);
  });
});
