// HTML as strictly as our own pages are written: every tag closed, every attribute quoted, no `<` or
// `>` anywhere else. What does not fit throws.

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

export interface Scanned {
  readonly tags: readonly Tag[];
  /** What a person reads, without the style sheet. */
  readonly text: string;
}

const TOKEN =
  /<!doctype html>|<style>[^<]*<\/style>|<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>|([^<>]+)/gy;
const ATTRIBUTE = /([a-z-]+)(?:="([^"]*)")?/g;
const VOID = new Set(["meta"]);

export function scanHtml(page: string): Scanned {
  const open: string[] = [];
  const tags: Tag[] = [];
  let text = "";
  let end = 0;
  for (const [token, slash, name, attributes = "", words] of page.matchAll(TOKEN)) {
    end += token.length;
    if (words !== undefined) text += decode(words);
    if (name === undefined) continue;
    if (slash === "/") {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`);
      continue;
    }
    tags.push({ name, attributes: readAttributes(attributes) });
    if (!VOID.has(name)) open.push(name);
  }
  if (end < page.length) throw new Error(`not a page: ${page.slice(end, end + 60)}`);
  if (open.length > 0) throw new Error(`never closed: ${open.join(" ")}`);
  return { tags, text };
}

const readAttributes = (written: string): ReadonlyMap<string, string> =>
  new Map(
    [...written.matchAll(ATTRIBUTE)].map(([, name = "", value = ""]) => [name, decode(value)]),
  );

const MARKS: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#39;", "'"],
]);

const decode = (text: string): string =>
  text.replace(/&[^;]*;?/g, (entity) => {
    const mark = MARKS.get(entity);
    if (mark === undefined) throw new Error(`an unescaped & in ${text}`);
    return mark;
  });
