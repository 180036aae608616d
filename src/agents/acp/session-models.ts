// The models of a session, in both ways in which agents list them: as an option of the session, or as
// a list of its own that came before.
import { asList, asName, asRecord, type JsonRecord } from "../json-fields.ts";

interface ListedModel {
  readonly id: string;
  readonly name: string | null;
}

interface ModelList {
  readonly current: string | null;
  readonly models: readonly ListedModel[];
  /** The request that chooses one of them. */
  readonly choose: (sessionId: string, id: string) => ModelRequest;
}

export interface ModelRequest {
  readonly method: string;
  readonly params: object;
}

export type ModelChoice =
  | { readonly kind: "current" }
  | { readonly kind: "request"; readonly request: ModelRequest }
  | { readonly kind: "unknown"; readonly problem: string };

/** Of the older list the name, whose ids may be internal; of an option the value, whose name is for show. */
export function readModel({ models, configOptions }: JsonRecord): string | null {
  const own = readOwnList(asRecord(models));
  if (own !== null) return nameOf(own, own.current) ?? own.current;
  return findOption(configOptions)?.current ?? null;
}

/** How the wanted model is had in a session that was just opened. */
export function chooseModel(session: JsonRecord, sessionId: string, wanted: string): ModelChoice {
  const list = findOption(session.configOptions) ?? readOwnList(asRecord(session.models));
  if (list === null)
    return { kind: "unknown", problem: "the agent lists no models; name the model in `argv`" };
  if (wanted === list.current || wanted === nameOf(list, list.current)) return { kind: "current" };
  const found = list.models.find(({ id, name }) => id === wanted || name === wanted);
  if (found === undefined) {
    const known = list.models.map(({ id }) => `\`${id}\``).join(", ");
    return { kind: "unknown", problem: `the agent has no model \`${wanted}\`; it has ${known}` };
  }
  return { kind: "request", request: list.choose(sessionId, found.id) };
}

const nameOf = ({ models }: ModelList, id: string | null): string | null =>
  models.find((model) => model.id === id)?.name ?? null;

function findOption(configOptions: unknown): ModelList | null {
  const option = asList(configOptions)
    .map(asRecord)
    .find(({ id, category }) => category === "model" || id === "model");
  return option === undefined ? null : readOption(option);
}

function readOption(option: JsonRecord): ModelList {
  const configId = asName(option.id);
  const values = asList(option.options).map(asRecord);
  // Options may come in groups.
  const flat = values.flatMap((value) =>
    value.value === undefined ? asList(value.options).map(asRecord) : [value],
  );
  return {
    current: asName(option.currentValue),
    models: flat.flatMap(({ value, name }) => describeModel(value, name)),
    choose: (sessionId, value) => ({
      method: "session/set_config_option",
      params: { sessionId, configId, value },
    }),
  };
}

function readOwnList({ currentModelId, availableModels }: JsonRecord): ModelList | null {
  if (availableModels === undefined) return null;
  return {
    current: asName(currentModelId),
    models: asList(availableModels)
      .map(asRecord)
      .flatMap(({ modelId, name }) => describeModel(modelId, name)),
    choose: (sessionId, modelId) => ({
      method: "session/set_model",
      params: { sessionId, modelId },
    }),
  };
}

function describeModel(id: unknown, name: unknown): ListedModel[] {
  const known = asName(id);
  return known === null ? [] : [{ id: known, name: asName(name) }];
}
