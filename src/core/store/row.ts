// Cells of a row: what lies on the disk is checked before the rest of the program sees it.
import type { SQLOutputValue } from "node:sqlite";
import type { JsonValue } from "../command/context.ts";
import type { ProcessIdentity } from "../process/identity.ts";
import { RowDamaged } from "./storage-fault.ts";

export type Row = Readonly<Record<string, SQLOutputValue>>;

export function textIn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new RowDamaged(`a row has no text in \`${column}\``);
  return value;
}

export function textOrNullIn(row: Row, column: string): string | null {
  return row[column] === null ? null : textIn(row, column);
}

export function numberIn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new RowDamaged(`a row has no number in \`${column}\``);
  return value;
}

export function jsonIn(row: Row, column: string): JsonValue {
  const text = textIn(row, column);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RowDamaged(`a row has no JSON in \`${column}\``, { cause });
  }
}

export function ownerIn(row: Row): ProcessIdentity {
  return {
    pid: numberIn(row, "pid"),
    startedAt: textIn(row, "started_at"),
    host: textIn(row, "host"),
  };
}
