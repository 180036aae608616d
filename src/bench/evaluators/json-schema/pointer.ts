import { isRecord } from "../../../agents/json-fields.ts";

/** What `#/$defs/name` points to; undefined for nothing, and for whatever lies outside. */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(2).split("/")) {
    const name = decodeStep(step);
    if (Array.isArray(found)) found = found[Number(name)];
    else found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

function decodeStep(step: string): string {
  const text = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(text);
  } catch {
    // A `%` that stands for itself.
    return text;
  }
}
