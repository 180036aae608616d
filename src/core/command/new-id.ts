const digit = (choices: number, offset = 0): string =>
  (offset + Math.floor(Math.random() * choices)).toString(16);

/**
 * A random id in the form of a UUID. It only has to be unique, not secret, so it does without
 * `node:crypto`, which costs a fifth of a start.
 */
export const newId = (): string =>
  "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (place) =>
    place === "x" ? digit(16) : digit(4, 8),
  );
