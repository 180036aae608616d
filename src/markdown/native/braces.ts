// The placeholders of Gemini CLI and Qwen Code: `{{args}}`, `!{command}`, `@{file}`; nothing escapes them
// (gemini 0.61, qwen 0.24.4).
import type { ReadBody } from "./native-format.ts";
import { joinTexts, type NativePart, textPart } from "./part.ts";

const ARGS = "{{args}}";

export const printBraces = (parts: readonly NativePart[]): string =>
  parts.map((part) => (part.kind === "text" ? part.text : ARGS)).join("");

export function readBraces(body: string): ReadBody {
  const parts: NativePart[] = [];
  const problems: string[] = [];
  const opening = /\{\{args\}\}|[!@]\{/g;
  let at = 0;
  for (let found = opening.exec(body); found !== null; found = opening.exec(body)) {
    parts.push(textPart(body.slice(at, found.index)));
    at = found[0] === ARGS ? opening.lastIndex : findEnd(body, opening.lastIndex);
    opening.lastIndex = at;
    if (found[0] === ARGS) parts.push({ kind: "all" });
    else addDirective(body.slice(found.index, at), { parts, problems });
  }
  parts.push(textPart(body.slice(at)));
  return { parts: joinTexts(parts), problems };
}

/** Braces are counted, as the agents do; one that is never closed reaches to the end. */
function findEnd(body: string, from: number): number {
  let open = 1;
  for (let at = from; at < body.length; at++) {
    if (body.charAt(at) === "{") open += 1;
    else if (body.charAt(at) === "}") open -= 1;
    if (open === 0) return at + 1;
  }
  return body.length;
}

function addDirective(
  written: string,
  { parts, problems }: { readonly parts: NativePart[]; readonly problems: string[] },
): void {
  const content = written.slice(2, -1).trim();
  const problem = findProblem(written, content);
  if (problem !== null) {
    problems.push(problem);
    parts.push(textPart(written));
  } else if (written.startsWith("!")) parts.push({ kind: "command", command: content, written });
  else parts.push({ kind: "file", path: content, written });
}

function findProblem(written: string, content: string): string | null {
  if (!written.endsWith("}")) return `\`${written.slice(0, 2)}\` is not closed`;
  if (content === "") return `\`${written}\` is empty`;
  if (content.includes(ARGS)) return `\`${ARGS}\` within \`${written}\``;
  return /[!@]\{/.test(content) ? `one directive within another: \`${written}\`` : null;
}
