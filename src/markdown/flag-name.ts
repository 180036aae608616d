/** `model` → `--model`, `p` → `-p`, `--model` stays. Nothing else about a key is changed. */
export function flagOfKey(key: string): string {
  if (key.startsWith("-")) return key;
  return key.length === 1 ? `-${key}` : `--${key}`;
}
