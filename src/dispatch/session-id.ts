/** A project's own session has an id that follows from its root, so naming it needs no store. */
export const sessionOfRoot = (root: string): string => `project:${root}`;
