// Programs whose danger lies in their arguments.
import type { StepSafety } from "../step/envelope.ts";
import { hasFlag, operandsOf } from "./simple-command.ts";

type SafetyRule = (args: readonly string[]) => StepSafety;

const has =
  (letters: string, ...names: string[]) =>
  (args: readonly string[]): boolean =>
    hasFlag(args, letters, ...names);

const when =
  (test: (args: readonly string[]) => boolean, yes: StepSafety, no: StepSafety): SafetyRule =>
  (args) =>
    test(args) ? yes : no;

/** The first that fits. */
const verbs =
  (rules: readonly (readonly [RegExp, StepSafety])[], otherwise: StepSafety): SafetyRule =>
  (args) => {
    const verb = operandsOf(args).slice(0, 2).join(" ");
    return rules.find(([pattern]) => pattern.test(verb))?.[1] ?? otherwise;
  };

const recursive = when(has("R", "recursive"), "destructive", "mutating");
const container = verbs(
  [
    [/^(ps|images|logs|inspect|version|info|port|top|stats|diff|history)\b/, "read_only"],
    [
      /^(container|image|volume|network|context|compose) (ls|list|ps|inspect|logs|config)$/,
      "read_only",
    ],
    [/^(search|manifest inspect)\b/, "network"],
    [/^(rm|rmi|kill)\b|\b(rm|prune|down)$/, "destructive"],
  ],
  "mutating",
);
const packages = verbs(
  [
    [/^(publish|unpublish|deprecate|owner|access|dist-tag|token)\b/, "destructive"],
    [/^audit fix\b/, "mutating"],
    [/^(view|info|show|search|outdated|audit|ping|whoami)\b/, "network"],
    [/^(ls|list|ll|why|explain|root|prefix|bin|help|licenses)\b/, "read_only"],
    [/^(config (get|list|ls)|pkg get)$/, "read_only"],
  ],
  "mutating",
);
const database: SafetyRule = (args) =>
  /\b(drop|truncate|delete|flushall|flushdb)\b/i.test(args.join(" ")) ? "destructive" : "mutating";
const cloud: SafetyRule = (args) =>
  /(^|\s|-)(rm|delete|remove|terminate|destroy|purge|rb)\b/.test(operandsOf(args).join(" "))
    ? "destructive"
    : "mutating";

export const PROGRAM_SAFETY: ReadonlyMap<string, SafetyRule> = new Map<string, SafetyRule>([
  ["chmod", recursive],
  ["chown", recursive],
  ["chgrp", recursive],
  ["dd", when((args) => args.some((arg) => arg.startsWith("of=")), "destructive", "read_only")],
  ["find", judgeFind],
  ["gfind", judgeFind],
  ["mv", when(has("f", "force"), "destructive", "mutating")],
  [
    "rsync",
    when(
      has("", "delete", "delete-before", "delete-after", "remove-source-files"),
      "destructive",
      "mutating",
    ),
  ],
  ["crontab", verbsOrFlags],
  ["curl", judgeCurl],
  ["wget", when(has("", "spider"), "network", "mutating")],
  ["http", () => "mutating"],
  ["gh", judgeHub],
  ["glab", judgeHub],
  ["npm", packages],
  ["pnpm", packages],
  ["yarn", packages],
  ["bun", packages],
  [
    "pip",
    verbs(
      [
        [/^(list|show|freeze|check|help)\b/, "read_only"],
        [/^(index|search)\b/, "network"],
      ],
      "mutating",
    ),
  ],
  [
    "pip3",
    verbs(
      [
        [/^(list|show|freeze|check|help)\b/, "read_only"],
        [/^(index|search)\b/, "network"],
      ],
      "mutating",
    ),
  ],
  [
    "cargo",
    verbs(
      [
        [/^(publish|yank|owner)\b/, "destructive"],
        [/^(search|info)\b/, "network"],
        [/^(tree|metadata|version|help)\b/, "read_only"],
      ],
      "mutating",
    ),
  ],
  ["go", verbs([[/^(version|env|list|doc|help|vet)\b/, "read_only"]], "mutating")],
  ["twine", () => "destructive"],
  [
    "gem",
    verbs(
      [
        [/^(push|yank)\b/, "destructive"],
        [/^(list|which|environment)\b/, "read_only"],
      ],
      "mutating",
    ),
  ],
  ["docker", container],
  ["podman", container],
  [
    "kubectl",
    verbs(
      [
        [/^(delete|drain|replace)\b/, "destructive"],
        [/^(get|describe|logs|top|explain|version|api-resources|cluster-info|diff)\b/, "network"],
      ],
      "mutating",
    ),
  ],
  [
    "helm",
    verbs(
      [
        [/^(uninstall|delete|rollback)\b/, "destructive"],
        [/^(list|ls|get|status|history|search|show|template|lint|version)\b/, "network"],
      ],
      "mutating",
    ),
  ],
  [
    "terraform",
    verbs(
      [
        [/^(destroy|apply|taint|force-unlock|state (rm|mv|push))\b/, "destructive"],
        [/^providers (lock|mirror)\b/, "mutating"],
        [/^(plan|show|validate|output|version|providers)\b/, "network"],
      ],
      "mutating",
    ),
  ],
  [
    "systemctl",
    verbs(
      [
        [/^(|status|show|cat|list-.*|is-.*)\b/, "read_only"],
        [/^(poweroff|reboot|halt|kexec|isolate)\b/, "destructive"],
      ],
      "mutating",
    ),
  ],
  ["aws", cloud],
  ["gcloud", cloud],
  ["az", cloud],
  ["psql", database],
  ["mysql", database],
  ["sqlite3", database],
  ["redis-cli", database],
  ["mongosh", database],
]);

function verbsOrFlags(args: readonly string[]): StepSafety {
  if (hasFlag(args, "r")) return "destructive";
  return hasFlag(args, "l") ? "read_only" : "mutating";
}

function judgeFind(args: readonly string[]): StepSafety {
  if (args.includes("-delete")) return "destructive";
  // What `-exec` runs is a command of the line in its own right.
  return args.some((arg) => /^-(fprint|fls)/.test(arg)) ? "mutating" : "read_only";
}

function judgeCurl(given: readonly string[]): StepSafety {
  const args = given.filter((arg, index) => {
    return !(arg === "-o" && given[index + 1] === "/dev/null");
  });
  const sends = hasFlag(args, "dFTX", "data", "form", "upload-file", "request", "json");
  const files = ["output", "remote-name", "config", "dump-header", "cookie-jar", "trace"];
  return sends || hasFlag(args, "oOJKDc", ...files) ? "mutating" : "network";
}

function judgeHub(args: readonly string[]): StepSafety {
  const [noun = "", verb = ""] = operandsOf(args);
  if (/^(delete|archive|purge)$/.test(verb)) return "destructive";
  if (noun === "api") return judgeApi(args);
  if (hasFlag(args, verb === "view" ? "w" : "", "web")) return "mutating";
  if (/^(view|list|ls|status|diff|checks|watch)$/.test(verb)) return "network";
  return noun === "status" || noun === "search" ? "network" : "mutating";
}

function judgeApi(args: readonly string[]): StepSafety {
  if (/\bdelete\b/i.test(args.join(" "))) return "destructive";
  return hasFlag(args, "XfF", "method", "field", "raw-field", "input") ? "mutating" : "network";
}
