import * as z from "zod/mini";
import type { ConfigPlace } from "../adapter.ts";
import type { ConfigCheck } from "../config-check.ts";
import { checkAgentConfig } from "../config-check.ts";
import { configSchema } from "../config-fields.ts";
import { freezeDeep } from "../freeze.ts";
import { asRecord } from "../json-fields.ts";
import { commandCapabilities } from "./capabilities.ts";

const words = z
  .array(z.string().check(z.minLength(1, "must not be empty")))
  .check(z.minLength(1, "must name a program"));

/** `argv` takes the place of flags: the program and its words, handed over as they are. */
export function checkCommandConfig(raw: unknown, place: ConfigPlace): ConfigCheck {
  const { argv, ...rest } = asRecord(raw);
  const check = checkAgentConfig(
    { agent: "command", schema: configSchema(), capabilities: commandCapabilities() },
    rest,
    place,
  );
  const checked = words.safeParse(argv);
  const problems = checked.success
    ? []
    : checked.error.issues.map(({ path, message }) => ({
        path: path.length === 0 ? "argv" : `argv[${String(path[0])}]`,
        message: argv === undefined ? "must name a program" : message,
      }));
  if (check.kind === "invalid")
    return { kind: "invalid", problems: [...problems, ...check.problems] };
  if (problems.length > 0) return { kind: "invalid", problems };
  return freezeDeep({ kind: "valid", config: { ...check.config, own: { argv } } });
}
