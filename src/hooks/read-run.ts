// The `run` of an entry: exactly one way to run, with all that it needs.
import type { Fault } from "../command/fault.ts";
import { nearestNames } from "../command/nearest-names.ts";
import { isAllowedUrl } from "./allowed-url.ts";
import { builtinNames, findBuiltin } from "./builtins/find-builtin.ts";
import type { HookEntry, RunEntry } from "./hooks-schema.ts";
import type { RuleRun } from "./rule.ts";
import type { StepName } from "./step.ts";

export type Complain = (problem: string, path: readonly PropertyKey[], hint?: string) => Fault;

const FORMS = ["argv", "shell", "url", "builtin"] as const;

/** What goes with what. */
const COMPANIONS = [
  ["argv_windows", "argv"],
  ["command", "shell"],
  ["headers", "url"],
  ["with", "builtin"],
] as const;

export function readRun(entry: HookEntry, on: readonly StepName[], complain: Complain): RuleRun {
  const { run } = entry;
  refuseMixture(run, complain);
  const { argv, argv_windows, shell, command, url, headers, builtin } = run;
  if (argv !== undefined) return { type: "argv", argv, argvWindows: argv_windows ?? null };
  if (shell !== undefined) {
    if (command === undefined)
      throw complain("`shell` goes with `command`, which is missing", ["run", "shell"]);
    return { type: "shell", shell, command };
  }
  if (url !== undefined) return readHttp(url, headers ?? {}, complain);
  if (builtin !== undefined) return readBuiltin(entry, { name: builtin, on }, complain);
  throw complain(
    "it runs nothing: give `argv`, or `shell` with `command`, or `url`, or `builtin`",
    ["run"],
  );
}

function refuseMixture(run: RunEntry, complain: Complain): void {
  const [first, second] = FORMS.filter((form) => run[form] !== undefined);
  if (first !== undefined && second !== undefined)
    throw complain(`give either \`${first}\` or \`${second}\`, not both`, ["run", second]);
  for (const [key, form] of COMPANIONS) {
    if (run[key] === undefined || run[form] !== undefined) continue;
    if (first !== undefined)
      throw complain(`\`${key}\` goes with \`${form}\`, not with \`${first}\``, ["run", key]);
    throw complain(`\`${key}\` goes with \`${form}\`, which is missing`, ["run", key]);
  }
}

function readHttp(
  url: string,
  headers: Readonly<Record<string, string>>,
  complain: Complain,
): RuleRun {
  if (!isAllowedUrl(url))
    throw complain(`\`${url}\` is neither \`https\` nor on this machine`, ["run", "url"]);
  for (const [name, value] of Object.entries(headers))
    if (value.replaceAll(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, "").includes("${"))
      throw complain(`\`${name}\` names no variable: one is written \`$\{NAME}\``, [
        "run",
        "headers",
        name,
      ]);
  return { type: "http", url, headers };
}

interface Named {
  readonly name: string;
  readonly on: readonly StepName[];
}

function readBuiltin(entry: HookEntry, { name, on }: Named, complain: Complain): RuleRun {
  const builtin = findBuiltin(name);
  if (builtin === null) throw unknownBuiltin(name, complain);
  if (entry.protocol === "claude-code")
    throw complain("`protocol` is for handlers of your own, not for a builtin", ["protocol"]);
  const step = on.find((one) => !builtin.steps.includes(one));
  if (step !== undefined)
    throw complain(
      `\`${name}\` has nothing to say at \`${step}\``,
      ["on"],
      `it is for ${list(builtin.steps)}`,
    );
  const reading = builtin.readOptions(entry.run.with);
  if (reading.kind === "invalid") throw complain(reading.problem, ["run", "with", ...reading.path]);
  return { type: "builtin", builtin: name, with: entry.run.with ?? null };
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

function unknownBuiltin(name: string, complain: Complain): Fault {
  const known = builtinNames();
  const nearest = nearestNames(name, known);
  const question =
    nearest.length === 0
      ? ""
      : `; did you mean ${nearest.map((one) => `\`${one}\``).join(" or ")}?`;
  return complain(
    `unknown builtin \`${name}\`${question}`,
    ["run", "builtin"],
    `known are ${list(known)}`,
  );
}
