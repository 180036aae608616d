export type JsonPath = readonly (string | number)[];

export interface Mismatch {
  readonly path: JsonPath;
  /** Continues the name of the place: `must be a string`. */
  readonly problem: string;
}

/** What a keyword of a schema is held against. */
export interface Place {
  readonly path: JsonPath;
  /** The schema that the keyword stands in. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** By another schema, for this value or for a part of it. */
  check(schema: unknown, value: unknown, step?: string | number): Mismatch | null;
}

/** A keyword's rule: what it wants of a value; null where all is well, or it is not about such values. */
export type Rule = (wanted: unknown, value: unknown, place: Place) => Mismatch | string | null;
