// The index leads to every page, and no link of it or of README leads nowhere.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "../support/checkout.ts";

/** The files that a page links or shows, from the root. */
const linksOf = (page: string): string[] =>
  [...readFileSync(join(CHECKOUT, page), "utf8").matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(
    ([, link = ""]) => join(dirname(page), link),
  );

test("every page is named in the index", () => {
  const linked = new Set(linksOf("docs/README.md"));
  const pages = readdirSync(join(CHECKOUT, "docs")).filter((file) => file.endsWith(".md"));
  expect(pages.map((file) => join("docs", file)).filter((page) => !linked.has(page))).toEqual([
    "docs/README.md",
  ]);
});

test.each(["README.md", "docs/README.md", "docs/getting-started.md"])(
  "what %s links is there",
  (page) => {
    expect(linksOf(page).length).toBeGreaterThan(2);
    expect(linksOf(page).filter((file) => !existsSync(join(CHECKOUT, file)))).toEqual([]);
  },
);
