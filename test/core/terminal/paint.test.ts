import { expect, test } from "vitest";
import { paintMessage, paintText } from "../../../src/core/terminal/paint.ts";

/** With each code as a letter between brackets. */
const NAMES: Readonly<Record<string, string>> = {
  1: "bold",
  2: "dim",
  22: "/",
  31: "red",
  32: "green",
  33: "yellow",
  36: "cyan",
  39: "/",
};
const readable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
  text.replaceAll(/\u001b\[(\d+)m/g, (_, code: string) => `<${NAMES[code]}>`);

// biome-ignore format: a table, one text each
test.each<[what: string, parts: Parameters<typeof paintText>[1], text: string, painted: string]>([
  ["the titles and names of a table", ["table"],
    "NAME  ENDED\na, b  failed\n\nfailed: x",
    "<bold>NAME  ENDED</>\n<cyan>a, b</>  <red>failed</>\n\nfailed: x"],
  ["the terms of help", ["sections"],
    "flags\n  -y, --yes  allow it\n  --color <when>  so",
    "<bold>flags</>\n  <cyan>-y, --yes</>  allow it\n  <cyan>--color <when></>  so"],
  ["what a finding is", ["findings"], "  fix   repair it\n  ok    fine", "  <red>fix</>   repair it\n  <green>ok</>    fine"],
  ["a change, and no list", ["diff"],
    "- one\nchanged x\n@@ -1 +1 @@\n-a\n+b\n c\n- two",
    "- one\nchanged x\n<cyan>@@ -1 +1 @@</>\n<red>-a</>\n<green>+b</>\n c\n<red>- two</>"],
  ["a verdict as a word of its own", ["verdicts"], "decision: veto by `x`: vetoes", "decision: <red>veto</> by `x`: vetoes"],
  ["nothing that it does not know", ["table", "diff"], "plain\n- text", "plain\n- text"],
])("paints %s", (_, parts, text, painted) => {
  expect(readable(paintText(text, parts))).toBe(painted);
});

test("a message has its kind and its names", () => {
  expect(readable(paintMessage("adj: unknown `x`\n", "error"))).toBe(
    "<red>adj:</> unknown <bold>`x`</>\n",
  );
  expect(readable(paintMessage("adj: y\n", "notice"))).toBe("<yellow>adj:</> y\n");
});
