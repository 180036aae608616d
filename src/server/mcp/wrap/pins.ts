// What a person has approved of a server: each tool as it was then. A tool that reads otherwise now is another tool.

import { join } from "node:path";
import type { Tool } from "@modelcontextprotocol/client";
import * as z from "zod/mini";
import { readText, replaceFile } from "../../../core/project/files.ts";
import { sha256 } from "../../../core/project/fingerprint.ts";

const PINS = z.object({
  argv: z.array(z.string()),
  at: z.string(),
  /** What it calls itself, which hooks go by; none in files of before 0.7. */
  name: z.optional(z.string()),
  /** Of what the server says of itself. */
  instructions: z.nullable(z.string()),
  tools: z.record(z.string(), z.string()),
});
type ServerPins = z.infer<typeof PINS>;

/** What the model would read of it, in one order. */
const hashTool = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
  _meta,
}: Tool): string =>
  sha256(canonical({ name, title, description, inputSchema, outputSchema, annotations, _meta }));

/** Pins are hashes of this text, so it must not change; `writeSorted` orders names such as `10` in another way. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}

export interface OfferedServer {
  readonly name: string;
  readonly instructions: string | undefined;
  readonly tools: readonly Tool[];
}

export function makePins(
  argv: readonly string[],
  { name, instructions, tools }: OfferedServer,
): ServerPins {
  return {
    name,
    argv: [...argv],
    at: new Date().toISOString(),
    instructions: instructions === undefined ? null : sha256(instructions),
    tools: Object.fromEntries(tools.map((tool) => [tool.name, hashTool(tool)])),
  };
}

/** Short enough to be compared by eye and typed in CI. */
export const hashPins = ({ name, instructions, tools }: ServerPins): string =>
  sha256(canonical({ name, instructions, tools })).slice(0, 16);

interface PinComparison {
  readonly approved: readonly Tool[];
  /** One line each: what is new, what reads otherwise, what is gone. */
  readonly changes: readonly string[];
}

/** Null pins approve nothing. */
export function comparePins(
  pins: ServerPins | null,
  { name: itself, instructions, tools }: OfferedServer,
): PinComparison {
  const known: Readonly<Record<string, string | undefined>> = pins?.tools ?? {};
  const approved = tools.filter((tool) => known[tool.name] === hashTool(tool));
  const names = new Set(tools.map(({ name }) => name));
  const stated = instructions === undefined ? null : sha256(instructions);
  const changes = [
    ...(pins?.name !== undefined && pins.name !== itself
      ? [`it calls itself \`${itself}\` now`]
      : []),
    ...(pins !== null && pins.instructions !== stated ? ["its instructions changed"] : []),
    ...tools
      .filter((tool) => known[tool.name] !== hashTool(tool))
      .map(({ name }) =>
        known[name] === undefined ? `\`${name}\` is new` : `\`${name}\` changed`,
      ),
    ...Object.keys(known)
      .filter((name) => !names.has(name))
      .map((name) => `\`${name}\` is gone`),
  ];
  return { approved, changes };
}

const pinFile = (stateDir: string, argv: readonly string[]): string =>
  join(stateDir, "mcp-pins", `${sha256(JSON.stringify(argv)).slice(0, 32)}.json`);

export function readServerPins(stateDir: string, argv: readonly string[]): ServerPins | null {
  const text = readText(pinFile(stateDir, argv));
  if (text === null) return null;
  const read = PINS.safeParse(JSON.parse(text));
  // Whatever cannot be read approves nothing.
  return read.success ? read.data : null;
}

export const writePins = (stateDir: string, pins: ServerPins): void =>
  replaceFile(pinFile(stateDir, pins.argv), `${JSON.stringify(pins, null, 2)}\n`);
