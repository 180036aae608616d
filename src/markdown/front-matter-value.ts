/** What stands between the `---` lines, as YAML reads it; or what is left of it. */
export type FrontMatter = Readonly<Record<string, unknown>>;

/** What the builder takes of the settings. */
export interface BuilderConfig {
  /** Defaults by the executable's name: `claude`, not `claude-code`. */
  readonly commands?: Readonly<Record<string, FrontMatter>> | undefined;
}

export const isPlainObject = (value: unknown): value is FrontMatter => {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
