export interface Wrapping {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Puts text between two tags that it cannot close: where it contains the closing one, the tags are
 * numbered until it does not.
 */
export function wrapText({ tag, attributes, text }: Wrapping): string {
  const name = chooseName(tag, text);
  const described = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeAttribute(value)}"`,
  );
  const lineEnd = text === "" || text.endsWith("\n") ? "" : "\n";
  return `<${name}${described.join("")}>\n${text}${lineEnd}</${name}>`;
}

function chooseName(tag: string, text: string): string {
  const closing = new RegExp(`<\\s*/\\s*${tag}(?:-(\\d+))?`, "gi");
  const used = new Set(Array.from(text.matchAll(closing), ([, number]) => Number(number ?? 1)));
  // A plain closing tag must not even begin like one of them.
  let number = used.size === 0 ? 1 : 2;
  while (used.has(number)) number += 1;
  return number === 1 ? tag : `${tag}-${number}`;
}

// Anyone may name a file; its name must not end the attribute, the tag or the line.
const escapeAttribute = (value: string): string =>
  value.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
    /[&"<>\u0000-\u001f\u007f\u2028\u2029]/g,
    (char) => `&#${char.charCodeAt(0)};`,
  );
