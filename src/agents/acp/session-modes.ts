// An agent in a mode of its own may write without asking (qwen 0.24.4 does, as it starts), so that a
// way of answering alone does not keep it from anything.
import type { JsonRecord } from "../json-fields.ts";
import { listModes, listOption, type SettingRequest } from "./session-lists.ts";

/** The last word of a mode's id; Copilot's are addresses. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  plan: ["plan"],
  ask: ["default", "ask"],
  allowlist: ["default", "ask"],
};

/** The request that brings the agent's own mode in line, or null where there is nothing to change. */
export function chooseMode(
  session: JsonRecord,
  sessionId: string,
  wanted: string,
): SettingRequest | null {
  const list = listModes(session) ?? listOption(session, "mode");
  const words = FITTING[wanted] ?? [];
  const found = list?.choices.find(({ id }) => words.includes(lastWord(id)));
  if (list === null || found === undefined || found.id === list.current) return null;
  return list.choose(sessionId, found.id);
}

const lastWord = (id: string): string => id.split(/[#/:]/).at(-1) ?? id;
