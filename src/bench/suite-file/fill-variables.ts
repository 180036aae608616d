// `${NAME}` of declared variables in the texts of an entry. Never in what a shell will read: data is not code.

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

const SHELL_FIELDS: ReadonlySet<string> = new Set(["setup", "teardown", "evaluators", "solution"]);

export function fillVariables(value: unknown, variables: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string")
    return value.replaceAll(REFERENCE, (whole, name: string) => variables.get(name) ?? whole);
  if (Array.isArray(value)) return value.map((item) => fillVariables(item, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      key,
      SHELL_FIELDS.has(key) ? item : fillVariables(item, variables),
    ]),
  );
}

/** A reference that nothing was filled in for; the id of the case comes later. */
export const findUndeclared = (text: string): string | null =>
  [...text.matchAll(REFERENCE)].map(([, name = ""]) => name).find((name) => name !== "case") ??
  null;
