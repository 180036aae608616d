import { isAbsolute, join, resolve } from "node:path";
import { fault } from "../command/fault.ts";

export interface Paths {
  /** Databases, trusted copies and indexes. */
  readonly stateDir: string;
  /** The user's layer. */
  readonly configDir: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** `ADJ_STATE_DIR` and `ADJ_CONFIG_DIR` name the folders themselves, `XDG_*` the folder above. */
export function findPaths(env: Environment, home: string): Paths {
  const find = (own: string, base: string, fallback: string): string =>
    readFolder(env, own) ?? join(readFolder(env, base) ?? join(home, fallback), "adjutant");
  return {
    stateDir: find("ADJ_STATE_DIR", "XDG_STATE_HOME", ".local/state"),
    configDir: find("ADJ_CONFIG_DIR", "XDG_CONFIG_HOME", ".config"),
  };
}

function readFolder(env: Environment, name: string): string | null {
  const value = env[name];
  if (value === undefined || value === "") return null;
  if (isAbsolute(value)) return resolve(value);
  throw fault(
    "InputInvalid",
    { what: `\`${name}\``, problem: `\`${value}\` is not an absolute path` },
    { hint: "give the whole path, beginning with `/`, or unset it" },
  );
}
