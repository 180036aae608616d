// All that is installed of other people's source, up to 100 MB: what is masked there is reviewed, one by one.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scanSecrets } from "../../../src/core/secrets/mask.ts";

const ROOT = join(import.meta.dirname, "../../..");
const ENOUGH = 100_000_000;

function* walk(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    // What begins with a dot is caches of our own tools.
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) yield* walk(path);
    else if (/\.(?:[cm]?[jt]s|tsx|md|json|ya?ml|css|html)$/.test(entry.name)) yield path;
  }
}

/** Examples of passwords in URLs and of web tokens, in documentation and tests: rightly masked, though nobody's. */
const EXAMPLES = [
  ...["abc:xyz@", "a:b@", "abc:123@", "123:xyz@", "foo:bar@", "someuser:somepassword@"],
  ...[
    "anonymous:flabada@",
    "user:password@",
    "password: 'secret!'",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6",
    // A name that says key, and a value of letters and digits: by its form it is one.
    "META_KEY]: ClientCapabilities2026Schema",
  ],
];

test("in ordinary source nothing is masked but examples of secrets", () => {
  let bytes = 0;
  const hits: string[] = [];
  for (const path of walk(join(ROOT, "node_modules"))) {
    if (bytes > ENOUGH) break;
    if (statSync(path).size > 3_000_000) continue;
    const text = readFileSync(path);
    bytes += text.length;
    for (const { begin } of scanSecrets(text, 0, true).spans)
      hits.push(text.subarray(Math.max(0, begin - 40), begin + 60).toString());
  }
  console.info(`${bytes} bytes, ${hits.length} examples`);
  expect(bytes).toBeGreaterThan(10_000_000);
  expect(hits.filter((hit) => !EXAMPLES.some((example) => hit.includes(example)))).toEqual([]);
});
