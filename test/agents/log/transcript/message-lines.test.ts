import fc from "fast-check";
import { expect, test } from "vitest";
import { splitMessage, wrapMessage } from "../../../../src/agents/log/transcript/message-lines.ts";

test.each([
  ["words only", "a\nb", ["prose a|b"]],
  ["a block between words", "a\n```ts\nb\n```\nc", ["prose a", "code b", "prose c"]],
  ["two blocks", "```\na\n```\n~~~\nb\n~~~", ["code a", "code b"]],
  ["a shorter fence inside", "````\n```\na\n```\n````", ["code ```|a|```"]],
  ["a block that never ends", "a\n```\nb", ["prose a", "code b"]],
  ["a fence in a line", "say ``` here", ["prose say ``` here"]],
  ["nothing", "", []],
])("%s", (_, content, parts) => {
  expect(splitMessage(content).map(({ kind, lines }) => `${kind} ${lines.join("|")}`)).toEqual(
    parts,
  );
});

test("no line of a message is lost, whatever its fences", () => {
  const line = fc.constantFrom("a", "", "```", "````", "~~~", "  ```js", "```a`b");
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const content = lines.map((one) => `${one}\n`).join("");
      expect(wrapMessage(content, null)).toEqual(lines);
    }),
  );
});
