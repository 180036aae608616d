import { PROGRAM_FLAGS } from "../../command/program-flags.ts";
import { section } from "../../command/usage-text.ts";

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly category: string | null;
}

/** What a newcomer looks for first; other groups follow in alphabetical order. */
const FIRST = ["start here", "commands", "session", "program"];
const REST = "others";

/** Commands by category, and the program's own flags. */
export function formatOverview(
  commands: readonly Listed[],
  version: string,
  width: number | null,
): string {
  const groups = Map.groupBy(commands, ({ category }) => category ?? REST);
  const titles = [...groups.keys()].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  const blocks = titles.map((title) =>
    section(
      title,
      (groups.get(title) ?? []).map(({ name, description }) => [name, description]),
      width,
    ),
  );
  const flags = PROGRAM_FLAGS.map(({ flag, short, value, description }) => {
    const term = `${short === null ? "" : `-${short}, `}--${flag}`;
    return [value === null ? term : `${term} <${value}>`, description] as const;
  });
  return [
    [`adj ${version}: one command, run anywhere`],
    ["usage: adj [flags] NAME [words…]"],
    ...blocks,
    section("flags, before the name", flags, width),
    ["how one is used: adj help NAME"],
  ]
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function rankOf(title: string): number {
  const place = FIRST.indexOf(title);
  if (place >= 0) return place;
  return title === REST ? FIRST.length + 1 : FIRST.length;
}
