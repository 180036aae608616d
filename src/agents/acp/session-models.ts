import type { JsonRecord } from "../json-fields.ts";
import { listModels, listOption, type SessionList, type SettingRequest } from "./session-lists.ts";

export type ModelChoice =
  | { readonly kind: "current" }
  | { readonly kind: "request"; readonly request: SettingRequest }
  | { readonly kind: "unknown"; readonly problem: string };

/** Of the older list the name, whose ids may be internal; of an option the value, whose name is for show. */
export function readModel(session: JsonRecord): string | null {
  const list = listModels(session);
  if (list !== null) return nameOf(list, list.current) ?? list.current;
  return listOption(session, "model")?.current ?? null;
}

/** How the wanted model is had in a session that was just opened. */
export function chooseModel(session: JsonRecord, sessionId: string, wanted: string): ModelChoice {
  const list = listOption(session, "model") ?? listModels(session);
  if (list === null)
    return { kind: "unknown", problem: "the agent lists no models; name the model in `argv`" };
  if (wanted === list.current || wanted === nameOf(list, list.current)) return { kind: "current" };
  const found = list.choices.find(({ id, name }) => id === wanted || name === wanted);
  if (found !== undefined) return { kind: "request", request: list.choose(sessionId, found.id) };
  const known = list.choices.map(({ id }) => `\`${id}\``).join(", ");
  return { kind: "unknown", problem: `the agent has no model \`${wanted}\`; it has ${known}` };
}

const nameOf = ({ choices }: SessionList, id: string | null): string | null =>
  choices.find((choice) => choice.id === id)?.name ?? null;
