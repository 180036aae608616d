// The texts inside arguments, whatever shape a tool gives them.
import type { ToolArguments } from "../envelope.ts";

const DEEPEST = 32;

/** The same object where no text changed. */
export function mapTexts(args: ToolArguments, change: (text: string) => string): ToolArguments {
  return mapObject(args, change, 0);
}

function mapObject(
  object: ToolArguments,
  change: (text: string) => string,
  depth: number,
): ToolArguments {
  const entries = Object.entries(object).map(([name, value]) => {
    return [name, mapValue(value, change, depth + 1)] as const;
  });
  const isSame = entries.every(([name, value]) => value === object[name]);
  return isSame ? object : Object.fromEntries(entries);
}

function mapValue(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  if (!Array.isArray(value)) {
    const copy: ToolArguments = { ...value };
    const mapped = mapObject(copy, change, depth);
    return mapped === copy ? value : mapped;
  }
  const mapped: unknown[] = value.map((each: unknown) => mapValue(each, change, depth + 1));
  return mapped.every((each, index) => each === value[index]) ? value : mapped;
}

export function textsIn(args: ToolArguments): string[] {
  const found: string[] = [];
  mapTexts(args, (text) => {
    found.push(text);
    return text;
  });
  return found;
}
