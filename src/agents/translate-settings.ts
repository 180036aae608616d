// Portable settings → an agent's own flags, environment and files. Pure.
import { join } from "node:path";
import type { CommandFile } from "./adapter.ts";
import {
  type AgentCapabilities,
  type FlagUse,
  PORTABLE_SETTINGS,
  type PortableSetting,
  type Translation,
} from "./capabilities.ts";

/** Above this a text goes by file where the agent takes one: arguments are limited and visible in `ps`. */
const LONG_TEXT = 4_000;

export interface TranslatedSettings {
  readonly uses: readonly FlagUse[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly CommandFile[];
}

const NOTHING: TranslatedSettings = { uses: [], env: {}, files: [] };

/** In the order of the list of settings, so that the same settings always give the same words. */
export function translateSettings(
  capabilities: AgentCapabilities,
  settings: Readonly<Partial<Record<PortableSetting, unknown>>>,
  folder: string,
): TranslatedSettings {
  const parts = PORTABLE_SETTINGS.map((name) => {
    const translation = capabilities.settings[name];
    const value = settings[name];
    if (translation === undefined || value === undefined) return NOTHING;
    return translateSetting(translation, value, join(folder, `${name.replaceAll("_", "-")}.md`));
  });
  return {
    uses: parts.flatMap(({ uses }) => uses),
    env: Object.assign({}, ...parts.map(({ env }) => env)),
    files: parts.flatMap(({ files }) => files),
  };
}

function translateSetting(to: Translation, value: unknown, path: string): TranslatedSettings {
  const text = writeValue(value);
  const file = { path, text };
  switch (to.to) {
    case "flag":
      return { ...NOTHING, uses: useFlag(to, value) };
    case "text":
      return to.fileFlag !== null && text.length > LONG_TEXT
        ? { ...NOTHING, uses: [{ flag: to.fileFlag, value: path }], files: [file] }
        : { ...NOTHING, uses: [{ flag: to.flag, value: text }] };
    case "config": {
      const written = `${to.key}=${writeToml(to.byFile ? path : value)}`;
      const uses = [{ flag: to.flag, value: written }];
      return { ...NOTHING, uses, files: to.byFile ? [file] : [] };
    }
    case "env":
      return {
        ...NOTHING,
        env: { [to.name]: to.byFile ? path : text },
        files: to.byFile ? [file] : [],
      };
    case "modes":
      return { ...NOTHING, uses: to.modes[text]?.uses ?? [] };
    case "own":
      return NOTHING;
  }
}

function useFlag(to: Translation & { to: "flag" }, value: unknown): FlagUse[] {
  const values = Array.isArray(value) ? value.map(writeValue) : [writeValue(value)];
  const prefix = to.pathPrefix ?? "";
  return values.map((written) => ({
    flag: to.flag,
    value: /^\s*[{[]/.test(written) ? written : `${prefix}${written}`,
  }));
}

/** JSON, but for one character that TOML wants escaped. */
const writeToml = (value: unknown): string => JSON.stringify(value).replaceAll("\x7f", "\\u007f");

const writeValue = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
