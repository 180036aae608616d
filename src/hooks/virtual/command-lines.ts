// What an agent is told at session start about the commands it can type.
import type { ListedCommand } from "./virtual-desk.ts";

const MOST_BYTES = 2_048;

/** Null where there are none but the bundled ones, which every agent can do without. */
export function describeCommands(listed: readonly ListedCommand[], prefix: string): string | null {
  const own = listed.filter(({ layer }) => layer !== "bundled");
  if (own.length === 0) return null;
  const head = "Commands of this project and its user, to be typed in the shell like any program:";
  const lines = own.map((command) => describe(command, prefix));
  return [head, ...keepWithin(lines, MOST_BYTES - size(head), prefix)].join("\n");
}

const describe = ({ summary }: ListedCommand, prefix: string): string => {
  const hint = summary.argumentHint === null ? "" : ` ${summary.argumentHint}`;
  return `${prefix}${summary.name}${hint} - ${summary.description}`;
};

/** With the line break before it. */
const size = (line: string): number => Buffer.byteLength(line) + 1;

function keepWithin(lines: readonly string[], room: number, prefix: string): string[] {
  const total = lines.reduce((sum, line) => sum + size(line), 0);
  if (total <= room) return [...lines];
  const more = (left: number) => `and ${left} more: ${prefix}commands`;
  const kept: string[] = [];
  let used = size(more(lines.length));
  for (const line of lines) {
    used += size(line);
    if (used > room) break;
    kept.push(line);
  }
  return [...kept, more(lines.length - kept.length)];
}
