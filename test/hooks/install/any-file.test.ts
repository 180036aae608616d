import fc from "fast-check";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { qwenInstaller } from "../../../src/agents/qwen/install.ts";
import { sha256 } from "../../../src/core/project/fingerprint.ts";
import { decideInstall, decideUninstall } from "../../../src/hooks/install/decide.ts";
import { inTier } from "../../support/tier.ts";
import { requestFor } from "./installing.ts";

const gap = fc.constantFrom("", " ", "\n", "\r\n", "\t", "  ", " /* c */ ", "// c\n", "\n\n");
const word = fc.oneof(
  fc.constantFrom("hooks", "PreToolUse", "Stop", "SessionStart", "a", "äö", "\\u0041b"),
  fc.string({ maxLength: 6 }).map((text) => JSON.stringify(text).slice(1, -1)),
);
const handler = fc.record({
  type: fc.constant("command"),
  command: fc.constantFrom("./mine", "adj run x", "echo 'adj'"),
});
const group = fc.record({ hooks: fc.array(handler, { maxLength: 2 }) });

/** Objects printed by somebody who does not care: any gap, any comment. */
const printed = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("1", "true", "null", '"x"', "[]", "-1e3", '"//"', "[ 1, 2 ,3 ]"),
    tie("object"),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(word, tie("value")), {
        maxLength: 4,
        selector: ([key]) => JSON.parse(`"${key}"`),
      }),
      gap,
    )
    .map(([members, space]) => {
      const kept = members.filter(([key]) => JSON.parse(`"${key}"`) !== "hooks");
      const inner = kept
        .map(([key, value]) => `${space}"${key}"${space}:${value}`)
        .join(`,${space}`);
      return `{${inner}${space}}`;
    }),
})).object;

const hooks = fc.dictionary(
  fc.constantFrom("PreToolUse", "Stop", "SessionStart", "Elsewhere"),
  fc.array(group, { maxLength: 2 }),
);

const file = fc
  .tuple(printed, fc.option(hooks), gap, gap, fc.constantFrom("", "\ufeff"))
  .map(([object, own, before, after, mark]) => {
    const isBare = /^\{[^"]*\}$/.test(object);
    const withHooks =
      own === null
        ? object
        : object.replace("{", `{"hooks":${JSON.stringify(own, null, 1)}${isBare ? "" : ","}`);
    return `${mark}${before}${withHooks}${after}`;
  });

const plain = (text: string) => parse(text.replace("\ufeff", ""));
const request = requestFor("qwen");
const stateOf = (text: string | null, original: string | null, written: readonly string[]) => ({
  file: "settings.json",
  text,
  record: { agent: "qwen", file: "settings.json", original, written, folders: [] },
});

test("whatever the file looks like: install adds ours alone, again changes nothing, uninstall gives it back", {
  timeout: 180_000,
}, () => {
  fc.assert(
    fc.property(file, (text) => {
      const first = decideInstall(
        { file: "settings.json", text, record: null },
        qwenInstaller,
        request,
      );
      if (first.kind !== "write") throw new Error("nothing was installed");
      expect(first.original).toBe(text);
      const record = stateOf(first.text, text, [sha256(first.text)]);
      expect(decideInstall(record, qwenInstaller, request)).toEqual({ kind: "unchanged" });
      expect(decideUninstall(record, qwenInstaller)).toEqual({ kind: "write", text });

      // Somebody touched it: ours go, the rest means what it meant.
      const touched = stateOf(`${first.text}\n`, text, [sha256(first.text)]);
      const removed = decideUninstall(touched, qwenInstaller);
      if (removed.kind !== "write") throw new Error("nothing was removed");
      expect(plain(removed.text)).toEqual(plain(text));
      const comments = (of: string) => of.split("/* c */").length;
      expect(comments(first.text)).toBe(comments(text));
    }),
    { numRuns: inTier(150, 500) },
  );
});
