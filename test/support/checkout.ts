import { join } from "node:path";

/** The root of the repository that is tested. */
export const CHECKOUT = join(import.meta.dirname, "..", "..");
