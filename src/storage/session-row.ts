// A session's state as it lies on the disk.
import { EMPTY_SESSION, type JsonValue, type SessionState } from "../command/session-access.ts";
import { isJsonObject, jsonIn, type Row, textIn } from "./row.ts";
import { RowDamaged } from "./storage-fault.ts";

/** A session that nobody changed yet has no state of its own. */
export function stateIn(row: Row): SessionState {
  if (row.state === null) return EMPTY_SESSION;
  const state: unknown = jsonIn(row, "state");
  if (!isState(state))
    throw new RowDamaged(`session \`${textIn(row, "id")}\` has no readable state`);
  return state;
}

function isState(value: unknown): value is SessionState {
  if (!isJsonObject(value)) return false;
  const names = [value.agent, value.model, value.workflow];
  const isNamed = names.every((name) => name === null || typeof name === "string");
  return (
    isNamed && isJsonObject(value.params) && Array.isArray(value.turns) && value.turns.every(isTurn)
  );
}

function isTurn(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const isSpoken = value.role === "user" || value.role === "assistant";
  return isSpoken && typeof value.text === "string" && typeof value.at === "string";
}
