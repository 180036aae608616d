// What a session lets the client choose. Agents list it as an option of the session, or as a list of
// its own, which is older.
import { asList, asName, asRecord, type JsonRecord } from "../json-fields.ts";

export interface SettingRequest {
  readonly method: string;
  readonly params: object;
}

export interface ListedChoice {
  readonly id: string;
  readonly name: string | null;
}

export interface SessionList {
  readonly current: string | null;
  readonly choices: readonly ListedChoice[];
  /** The request that chooses one of them. */
  readonly choose: (sessionId: string, id: string) => SettingRequest;
}

export function listModels({ models }: JsonRecord): SessionList | null {
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

export function listModes({ modes }: JsonRecord): SessionList | null {
  const { currentModeId, availableModes } = asRecord(modes);
  if (availableModes === undefined) return null;
  return {
    current: asName(currentModeId),
    choices: readChoices(availableModes, "id"),
    choose: (sessionId, modeId) => ({ method: "session/set_mode", params: { sessionId, modeId } }),
  };
}

export function listOption(
  { configOptions }: JsonRecord,
  wanted: "model" | "mode",
): SessionList | null {
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
