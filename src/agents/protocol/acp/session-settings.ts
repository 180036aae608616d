// What a session lets the client choose. Agents list it as an option of the session, or as a list of
// its own, which is older.

import { asRecord, type JsonRecord } from "../../../core/project/json-value.ts";
import { asList, asName } from "../../log/json-fields.ts";
import type { RpcCall } from "./messages.ts";

interface ListedChoice {
  readonly id: string;
  readonly name: string | null;
}

interface SessionList {
  readonly current: string | null;
  readonly choices: readonly ListedChoice[];
  /** The request that chooses one of them. */
  readonly choose: (sessionId: string, id: string) => RpcCall;
}

function listModels({ models }: JsonRecord): SessionList | null {
  const { currentModelId, availableModels } = asRecord(models);
  if (availableModels === undefined) return null;
  return {
    current: asName(currentModelId),
    choices: readChoices(availableModels, "modelId"),
    choose: (sessionId, modelId) => ({
      method: "session/set_model",
      params: { sessionId, modelId },
    }),
  };
}

function listModes({ modes }: JsonRecord): SessionList | null {
  const { currentModeId, availableModes } = asRecord(modes);
  if (availableModes === undefined) return null;
  return {
    current: asName(currentModeId),
    choices: readChoices(availableModes, "id"),
    choose: (sessionId, modeId) => ({ method: "session/set_mode", params: { sessionId, modeId } }),
  };
}

function listOption({ configOptions }: JsonRecord, wanted: "model" | "mode"): SessionList | null {
  const option = asList(configOptions)
    .map(asRecord)
    .find(({ id, category }) => category === wanted || id === wanted);
  if (option === undefined) return null;
  const configId = asName(option.id);
  // Options may come in groups.
  const values = asList(option.options).flatMap((entry) =>
    asRecord(entry).value === undefined ? asList(asRecord(entry).options) : [entry],
  );
  return {
    current: asName(option.currentValue),
    choices: readChoices(values, "value"),
    choose: (sessionId, value) => ({
      method: "session/set_config_option",
      params: { sessionId, configId, value },
    }),
  };
}

const readChoices = (entries: unknown, idField: string): ListedChoice[] =>
  asList(entries)
    .map(asRecord)
    .flatMap((entry) => {
      const id = asName(entry[idField]);
      return id === null ? [] : [{ id, name: asName(entry.name) }];
    });

type ModelChoice =
  | { readonly kind: "current" }
  | { readonly kind: "request"; readonly request: RpcCall }
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
  if (list === null) return { kind: "unknown", problem: describeUnknown(list, wanted) };
  if (wanted === list.current || wanted === nameOf(list, list.current)) return { kind: "current" };
  const found = list.choices.find(({ id, name }) => id === wanted || name === wanted);
  if (found !== undefined) return { kind: "request", request: list.choose(sessionId, found.id) };
  return { kind: "unknown", problem: describeUnknown(list, wanted) };
}

/** The same before any prompt of a session: what was current when it was opened need not be any more. */
export function switchModel(
  session: JsonRecord,
  { sessionId, model, takesAny }: ModelSwitch,
): Exclude<ModelChoice, { kind: "current" }> {
  const list = listOption(session, "model") ?? listModels(session);
  const found = list?.choices.find(({ id, name }) => id === model || name === model);
  if (list !== null && (found !== undefined || model === list.current))
    return { kind: "request", request: list.choose(sessionId, found?.id ?? model) };
  const unlisted = { method: "session/set_model", params: { sessionId, modelId: model } };
  if (takesAny) return { kind: "request", request: unlisted };
  return { kind: "unknown", problem: describeUnknown(list, model) };
}

interface ModelSwitch {
  readonly sessionId: string;
  readonly model: string;
  /** The agent takes models that it does not list. */
  readonly takesAny: boolean;
}

function describeUnknown(list: SessionList | null, wanted: string): string {
  if (list === null) return "the agent lists no models; name the model in `argv`";
  const known = list.choices.map(({ id }) => `\`${id}\``).join(", ");
  return `the agent has no model \`${wanted}\`; it has ${known}`;
}

const nameOf = ({ choices }: SessionList, id: string | null): string | null =>
  choices.find((choice) => choice.id === id)?.name ?? null;

// An agent in a mode of its own may write without asking (qwen 0.24.4 does, as it starts), so that a
// way of answering alone does not keep it from anything.

/** The last word of a mode's id; Copilot's are addresses. */
const FITTING_MODES: Readonly<Record<string, readonly string[]>> = {
  plan: ["plan"],
  ask: ["default", "ask"],
  allowlist: ["default", "ask"],
};

/**
 * The request for the first of these modes that the agent has, in which it may already be: some keep the mode of an
 * earlier process. Null where it has none of them.
 */
export function setMode(
  session: JsonRecord,
  sessionId: string,
  words: readonly string[],
): RpcCall | null {
  const list = listModes(session) ?? listOption(session, "mode");
  const found = words
    .map((word) => list?.choices.find(({ id }) => lastWord(id) === word))
    .find((choice) => choice !== undefined);
  return list === null || found === undefined ? null : list.choose(sessionId, found.id);
}

/** The request for another option of the session; null where the session has no such option. */
export function setOption(
  { configOptions }: JsonRecord,
  sessionId: string,
  [configId, value]: readonly [id: string, value: string],
): RpcCall | null {
  const isListed = asList(configOptions).some((option) => asRecord(option).id === configId);
  const params = { sessionId, configId, value };
  return isListed ? { method: "session/set_config_option", params } : null;
}

/** The request that brings the agent's own mode in line, or null where there is nothing to change. */
export function chooseMode(session: JsonRecord, sessionId: string, wanted: string): RpcCall | null {
  const list = listModes(session) ?? listOption(session, "mode");
  const words = FITTING_MODES[wanted] ?? [];
  const found = list?.choices.find(({ id }) => words.includes(lastWord(id)));
  if (list === null || found === undefined || found.id === list.current) return null;
  return list.choose(sessionId, found.id);
}

const lastWord = (id: string): string => id.split(/[#/:]/).at(-1) ?? id;
