/** Freezes a value and all it holds: records that are handed out must stay what they were. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const key in value) {
    const part = value[key];
    if (typeof part === "object" && part !== null) freezeDeep(part);
  }
  return Object.freeze(value);
}
