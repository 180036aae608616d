import * as z from "zod/mini";
import type { ConfigPlace } from "../adapter.ts";
import { type ConfigCheck, checkAgentConfig } from "../config-check.ts";
import { configSchema } from "../config-fields.ts";
import { freezeDeep } from "../freeze.ts";
import { asRecord } from "../json-fields.ts";
import { DEFAULT_CASSETTE } from "./bundled-cassettes.ts";
import { replayCapabilities } from "./capabilities.ts";

const OWN = {
  cassette: z._default(
    z.string().check(z.minLength(1, "must be a file or the name of a bundled cassette")),
    DEFAULT_CASSETTE,
  ),
  pace: z._default(z.enum(["fast", "real"], "must be `fast` or `real`"), "fast"),
};

/** Any prompt will do, and any model: a cassette says what it says. */
export function checkReplayConfig(raw: unknown, place: ConfigPlace): ConfigCheck {
  const { cassette, pace, prompt, model: _model, ...rest } = asRecord(raw);
  const hasPrompt = prompt !== undefined || rest.prompt_file !== undefined;
  const common = { ...rest, ...(hasPrompt ? { prompt } : { prompt: "play" }) };
  const rules = { agent: "replay", schema: configSchema(), capabilities: replayCapabilities() };
  const check = checkAgentConfig(rules, dropUndefined(common), place);
  const own = z.strictObject(OWN).safeParse(dropUndefined({ cassette, pace }));
  const problems = [
    ...(own.success
      ? []
      : own.error.issues.map(({ path, message }) => ({ path: path.join("."), message }))),
    ...(check.kind === "invalid" ? check.problems : []),
  ];
  if (check.kind === "invalid" || !own.success) return { kind: "invalid", problems };
  const text = hasPrompt ? check.config.prompt : "";
  return freezeDeep({ kind: "valid", config: { ...check.config, prompt: text, own: own.data } });
}

const dropUndefined = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
