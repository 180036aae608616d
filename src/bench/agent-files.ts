// Settings of an agent that name a file: they are read from the suite's folder, belong to the fingerprint, and travel.
import { resolve } from "node:path";

type Config = Readonly<Record<string, unknown>>;

const FILE_FIELDS = ["cassette", "mcp_config", "settings"] as const;
/** In any text of an agent's settings: a cassette for each case, say. */
const CASE_MARK = `\${case}`;

/** Not JSON, and not the bare name of something that is built in. */
const isPath = (value: unknown): value is string =>
  typeof value === "string" && /[./]/.test(value) && !/^\s*[{[]/.test(value);

/** With absolute paths. */
export function placeAgentFiles(config: Config, folder: string): Config {
  const placed = FILE_FIELDS.flatMap((name): [string, string][] => {
    const value = config[name];
    return isPath(value) ? [[name, resolve(folder, value)]] : [];
  });
  return { ...config, ...Object.fromEntries(placed) };
}

/** As they are written there. */
export const namedFiles = (config: Config): string[] =>
  FILE_FIELDS.map((name) => config[name]).filter(isPath);

/** The settings as they are for one case. */
export function fillCase(config: Config, caseId: string): Config {
  const fill = (_: string, value: unknown): unknown =>
    typeof value === "string" ? value.replaceAll(CASE_MARK, caseId) : value;
  return JSON.parse(JSON.stringify(config, fill));
}
