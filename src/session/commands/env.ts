import * as z from "zod/mini";
import type { JsonValue, SessionState } from "../../core/command/context.ts";
import { ok } from "../../core/command/result.ts";
import { defineBundled } from "../../core/commands/bundled.ts";

const REFERENCE = /^env:(.+)$/;

export default defineBundled({
  name: "env",
  description: "Name the environment variables this session would hand to an agent",
  category: "session",
  safety: "read_only",
  args: z.strictObject({}),
  run: async (_, context) => {
    const { params } = await context.session.get();
    const given = Object.keys(context.env.forChild());
    const referred = listReferences(params);
    const names = [...new Set([...given, ...referred.map(({ name }) => name)])].sort();
    const paths = new Map(referred.map(({ name, path }) => [name, path]));
    const lines = names.map((name) => {
      const path = paths.get(name);
      return path === undefined ? name : `${name} (for ${path})`;
    });
    return ok(lines.join("\n"), { names, params: referred });
  },
});

/** Secret params stand in the session as `env:NAME`. */
function listReferences(params: SessionState["params"]): { name: string; path: string }[] {
  return Object.entries(params).flatMap(([path, value]) => {
    const name = referenceIn(value);
    return name === null ? [] : [{ name, path }];
  });
}

function referenceIn(value: JsonValue): string | null {
  return typeof value === "string" ? (REFERENCE.exec(value)?.[1] ?? null) : null;
}
