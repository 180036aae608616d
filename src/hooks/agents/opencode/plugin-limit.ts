export const PLUGIN_LIMIT_MS = 60_000;
