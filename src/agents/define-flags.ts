import type { FlagCapability } from "./capabilities.ts";

interface FlagLists {
  readonly nothing?: string;
  readonly value?: string;
  readonly optional?: string;
  readonly list?: string;
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

/**
 * A flag table from lists of words, one list for each arity. A word is the flag, further names after
 * commas, `*` where it may be repeated, `@` and the first version known to have it.
 *
 * @example
 * defineFlags({ nothing: "--continue,-c --cloud@2.1.325", list: "--add-dir*" });
 */
export function defineFlags(lists: FlagLists): readonly FlagCapability[] {
  const arities = ["nothing", "value", "optional", "list"] as const;
  return arities.flatMap((takes) =>
    (lists[takes]?.split(/\s+/) ?? [])
      .filter((written) => written !== "")
      .map((written) => defineFlag(written, takes, lists.choices ?? {})),
  );
}

function defineFlag(
  written: string,
  takes: FlagCapability["takes"],
  choices: Readonly<Record<string, readonly string[]>>,
): FlagCapability {
  const [names = "", since] = written.split("@");
  const [name = "", ...aliases] = names.replace("*", "").split(",");
  const allowed = choices[name];
  return {
    name,
    takes,
    ...(aliases.length > 0 ? { aliases } : {}),
    ...(names.endsWith("*") ? { isRepeatable: true } : {}),
    ...(allowed === undefined ? {} : { choices: allowed }),
    ...(since === undefined ? {} : { since }),
  };
}
