type DefaultValue = string | true | (string | true)[];

/** What a command without a schema is given: positionals in `_`, long flags by name. */
export interface DefaultArguments {
  readonly _: readonly string[];
  readonly [flag: string]: DefaultValue | readonly string[];
}

const LONG_FLAG = /^--([^=]+)(?:=([\s\S]*))?$/;

/** `--k=v` is the only way to give a value, `--k` is true, a repeat makes a list, after `--` all is positional. */
export function parseDefaultArguments(words: readonly string[]): DefaultArguments {
  const positionals: string[] = [];
  // A null prototype: `--constructor` and `--__proto__` are flags like any other.
  const flags: Record<string, DefaultValue> = Object.create(null);
  let isOpen = true;
  for (const word of words) {
    if (isOpen && word === "--") isOpen = false;
    else {
      const match = isOpen ? LONG_FLAG.exec(word) : null;
      if (match?.[1] === undefined) positionals.push(word);
      else addFlag(flags, match[1], match[2] ?? true);
    }
  }
  return Object.assign(flags, { _: positionals });
}

function addFlag(flags: Record<string, DefaultValue>, name: string, value: string | true): void {
  const before = flags[name];
  if (before === undefined) flags[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else flags[name] = [before, value];
}
