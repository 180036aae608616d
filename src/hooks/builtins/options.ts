// What may stand in the `with` of each builtin. Loads zod, so it is loaded only where a hooks file is compiled: the
// compiled rule carries the options as its builtin takes them.
import * as z from "zod/mini";
import type { OptionsReading } from "../../core/command/definition.ts";
import { nearestNames } from "../../core/command/names.ts";
import { parseDuration } from "../../core/command/time.ts";
import { GIT_HAZARDS } from "../../core/shell/git/hazard.ts";

// Messages continue "`name` …".
const orMissing = (problem: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? "is missing" : problem,
});

const quoteAll = (names: readonly string[]): string =>
  names.map((name) => `\`${name}\``).join(", ");

const optionalText = z._default(
  z.nullable(
    z.string("must be text").check(z.refine((text) => text.trim() !== "", "must be text")),
  ),
  null,
);

/** A list, or one text for a list of one. */
const texts = z.pipe(
  z.transform((raw: unknown): unknown => (raw === undefined || Array.isArray(raw) ? raw : [raw])),
  z.array(
    z.string("must be a list of texts").check(z.minLength(1, "must be a list of texts")),
    orMissing("must be a list of texts"),
  ),
);

const someTexts = z.pipe(texts, z.array(z.string()).check(z.minLength(1, "is empty")));

const optionalTexts = z._default(texts, []);

const choice = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `must be one of ${quoteAll(names)}`);

const choices = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.pipe(texts, z.array(z.enum(names, `must be of ${quoteAll(names)}`)));

const COUNT = "must be a whole number above 0";
const count = z
  .number(orMissing(COUNT))
  .check(z.refine((value) => Number.isSafeInteger(value) && value > 0, COUNT));

/** In milliseconds. */
const DURATION = "must be a duration such as `5s`, `10m` or `1h`";
const duration = z.pipe(
  z.string(orMissing(DURATION)).check(z.refine((text) => parseDuration(text) !== null, DURATION)),
  z.transform((text) => parseDuration(text) ?? 0),
);

const TEN_MINUTES_MS = 600_000;
const action = choice(["deny", "ask"]);
/** What is done where a guard cannot tell; an agent that cannot ask refuses instead. */
const unsure = z._default(choice(["ask", "deny", "pass"]), "ask");
const reason = z.strictObject({ reason: optionalText });
const beforeStop = z.strictObject({
  argv: someTexts,
  cwd: optionalText,
  timeout: z._default(duration, TEN_MINUTES_MS),
  reason: optionalText,
});

const SCHEMAS = {
  allow: reason,
  ask: reason,
  "ask-network": z.strictObject({
    hosts: optionalTexts,
    /** Package managers, git and their like, with the hosts a project has chosen. */
    everyday: z._default(choice(["pass", "ask"]), "pass"),
    action: z._default(action, "ask"),
    unsure,
    reason: optionalText,
  }),
  audit: z.strictObject({}),
  deny: reason,
  git: z.strictObject({
    /** By default all but what loses nothing that others have, and what many want. */
    forbid: z._default(
      choices([...GIT_HAZARDS, "hidden"]),
      GIT_HAZARDS.filter((each) => each !== "force-with-lease" && each !== "no-verify"),
    ),
    protected_branches: optionalTexts,
    action: z._default(action, "deny"),
    unsure,
    reason: optionalText,
  }),
  "no-secrets": z.strictObject({
    commits: z._default(z.boolean("must be true or false"), true),
    action: z._default(action, "deny"),
    unsure,
    reason: optionalText,
  }),
  "protect-paths": z.strictObject({
    paths: someTexts,
    access: z._default(choices(["read", "write"]), ["read", "write"]),
    except: optionalTexts,
    interpreters: z._default(choice(["ask", "pass"]), "pass"),
    action: z._default(action, "deny"),
    unsure,
    reason: optionalText,
  }),
  "rate-limit": z.strictObject({
    limit: count,
    per: duration,
    by: z._default(choice(["session", "project", "agent", "all"]), "session"),
    action: z._default(action, "deny"),
    reason: optionalText,
  }),
  redact: z.strictObject({ variables: optionalTexts }),
  "require-approval": reason,
  rm: z.strictObject({
    /** What may always be deleted. */
    except: optionalTexts,
    interpreters: z._default(choice(["ask", "pass"]), "pass"),
    action: z._default(action, "ask"),
    unsure,
    reason: optionalText,
  }),
  "run-before-stop": beforeStop,
  "tests-before-stop": beforeStop,
} as const;

type BuiltinName = keyof typeof SCHEMAS;

export type BuiltinOptions<Name extends BuiltinName> = Readonly<z.infer<(typeof SCHEMAS)[Name]>>;

const isBuiltinName = (name: string): name is BuiltinName => Object.hasOwn(SCHEMAS, name);

/** The keys that its `with` may have. */
export const optionNames = (name: string): readonly string[] =>
  isBuiltinName(name) ? Object.keys(SCHEMAS[name].shape) : [];

/** What `with` means to a builtin; an unknown key or a wrong value is told with its path. */
export function readBuiltinOptions(name: string, raw: unknown): OptionsReading<unknown> {
  if (!isBuiltinName(name)) throw new TypeError(`no builtin ${name}`);
  const given = raw ?? {};
  if (typeof given !== "object" || Array.isArray(given)) return invalid([], "`with` must be a map");
  const schema = SCHEMAS[name];
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(schema.shape, key));
  if (unknown !== undefined)
    return invalid([unknown], describeUnknown(unknown, Object.keys(schema.shape)));
  const checked = z.safeParse(schema, given, { reportInput: true });
  if (checked.success) return { kind: "options", options: checked.data };
  const [issue] = checked.error.issues;
  const [field = "", at] = issue?.path ?? [];
  const isListed = Array.isArray(new Map(Object.entries(given)).get(String(field)));
  return invalid(
    typeof at === "number" && isListed ? [String(field), at] : [String(field)],
    `\`${String(field)}\` ${issue?.message}`,
  );
}

const invalid = (path: readonly (string | number)[], problem: string) =>
  ({ kind: "invalid", path, problem }) as const;

function describeUnknown(name: string, known: readonly string[]): string {
  const nearest = nearestNames(name, known).map((each) => `\`${each}\``);
  if (nearest.length > 0) return `unknown key \`${name}\`; did you mean ${nearest.join(" or ")}?`;
  const list = quoteAll(known);
  return `unknown key \`${name}\`; ${list === "" ? "this builtin has no options" : `known are ${list}`}`;
}
