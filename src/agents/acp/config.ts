import type { ConfigPlace } from "../adapter.ts";
import type { ConfigCheck, ConfigProblem } from "../config-check.ts";
import { freezeDeep } from "../freeze.ts";
import { asRecord } from "../json-fields.ts";
import { checkProgramConfig } from "../program-config.ts";
import { acpCapabilities } from "./capabilities.ts";

/** `argv` names the program; `offer_files` lets it read and write the workspace through the client. */
export function checkAcpConfig(raw: unknown, place: ConfigPlace): ConfigCheck {
  const { offer_files: offersFiles = false, ...rest } = asRecord(raw);
  const check = checkProgramConfig("acp", acpCapabilities(), rest, place);
  const problems: readonly ConfigProblem[] = [
    ...(check.kind === "invalid" ? check.problems : []),
    ...(typeof offersFiles === "boolean" ? [] : [NO_SWITCH]),
  ];
  if (check.kind === "invalid" || problems.length > 0) return { kind: "invalid", problems };
  const own = { ...check.config.own, offer_files: offersFiles };
  return freezeDeep({ kind: "valid", config: { ...check.config, own } });
}

const NO_SWITCH: ConfigProblem = { path: "offer_files", message: "must be true or false" };
