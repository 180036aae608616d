import type { Builtin } from "./builtin.ts";

const BUILTINS: ReadonlyMap<string, Builtin> = new Map();

export const findBuiltin = (name: string): Builtin | null => BUILTINS.get(name) ?? null;

export const builtinNames = (): string[] => [...BUILTINS.keys()].sort();
