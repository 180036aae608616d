import { cleanText } from "./clean-text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Any text as text of a page or as the value of an attribute, never as markup. */
export const escapeHtml = (text: string): string =>
  cleanText(text).replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? "");
