// Runs inside the script's context. It is turned into text, so it may use nothing from outside itself.

export interface ValueTools {
  /** What the script returned, as JSON, and what JSON could not hold of it. */
  readonly writeResult: (value: unknown) => { text: string; problems: string[] };
  /** What the script threw, which may be anything. */
  readonly describe: (thrown: unknown) => { name: string; message: string; stack: string };
  /** One piece of a line of the log. */
  readonly show: (value: unknown) => string;
}

/** Keeps the functions of the language as they are now: the script may change them. */
export function makeValueTools(): ValueTools {
  const { stringify } = JSON;
  const { isArray } = Array;
  const { apply, getPrototypeOf } = Reflect;
  const { slice } = String.prototype;
  const toText = String;
  const emptied: readonly (readonly [object, string])[] = [
    [Map.prototype, "a Map"],
    [Set.prototype, "a Set"],
    [Promise.prototype, "a promise nobody awaited"],
  ];
  const MAX_TEXT = 20_000;
  const MAX_PROBLEMS = 5;

  const cut = (text: string): string => apply(slice, text, [0, MAX_TEXT]);

  function writeResult(value: unknown): { text: string; problems: string[] } {
    const problems: string[] = [];
    const note = (key: string, what: string, kept: string) => {
      if (problems.length < MAX_PROBLEMS)
        problems[problems.length] =
          `\`${key}\` is ${what}, which JSON cannot hold: ${kept} is kept`;
    };
    const above: object[] = [];
    let depth = 0;
    function replace(this: object, key: string, item: unknown): unknown {
      const name = key === "" ? "the result" : key;
      if (typeof item === "bigint") {
        note(name, "a BigInt", "its text");
        return toText(item);
      }
      if (typeof item === "function") note(name, "a function", "nothing");
      if (typeof item !== "object" || item === null) return item;
      // `this` holds the item: what stands above it in the list is finished.
      while (depth > 0 && above[depth - 1] !== this) depth -= 1;
      for (let at = 0; at < depth; at++)
        if (above[at] === item) {
          note(name, "part of itself", 'the text "[circular]"');
          return "[circular]";
        }
      above[depth] = item;
      depth += 1;
      const prototype = getPrototypeOf(item);
      for (let at = 0; at < emptied.length; at++)
        if (emptied[at]?.[0] === prototype) note(name, emptied[at]?.[1] ?? "", "{}");
      return item;
    }
    const text: string | undefined = stringify(value, replace);
    return { text: text === undefined ? "" : text, problems };
  }

  function readText(thrown: object, field: "name" | "message" | "stack"): string {
    try {
      const text: unknown = Reflect.get(thrown, field);
      return typeof text === "string" ? cut(text) : "";
    } catch {
      return "";
    }
  }

  function describe(thrown: unknown): { name: string; message: string; stack: string } {
    const isObject = typeof thrown === "object" || typeof thrown === "function";
    if (!isObject || thrown === null) return { name: "Error", message: show(thrown), stack: "" };
    const name = readText(thrown, "name");
    const message = readText(thrown, "message");
    return {
      name: name === "" ? "Error" : name,
      message: message === "" && name === "" ? show(thrown) : message,
      stack: readText(thrown, "stack"),
    };
  }

  function show(value: unknown): string {
    try {
      if (typeof value === "string") return cut(value);
      const isData = typeof value === "object" && value !== null;
      const isError = isData && !isArray(value) && typeof readText(value, "stack") === "string";
      if (isError && readText(value, "stack") !== "") return readText(value, "stack");
      return cut((isData ? stringify(value) : undefined) ?? toText(value));
    } catch {
      return "(a value that cannot be shown)";
    }
  }

  return { writeResult, describe, show };
}
