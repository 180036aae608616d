// The arguments that many commands have in the same shape.
import * as z from "zod/mini";

/** What the surfaces should know besides: its place, whether it is plain, a file, for which actions. */
type Marks = Readonly<Record<string, unknown>>;

export const text = (description: string, marks: Marks = {}) =>
  z.optional(z.string().check(z.meta({ description, ...marks })));

/** Off unless given. */
export const flag = (description: string, marks: Marks = {}) =>
  z._default(z.boolean().check(z.meta({ plain: true, description, ...marks })), false);

export const texts = (description: string, marks: Marks = {}) =>
  z._default(z.array(z.string()).check(z.meta({ description, ...marks })), []);

export const agentNames = (description: string) =>
  texts(description, { positional: "rest", plain: true });
