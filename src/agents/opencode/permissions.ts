// What opencode may do by itself. Without a word of its configuration it runs everything.

/** What it asks about, by the words of 1.18.33; each is named because a rule of the user's for one would count more than `*`. */
const CHANGING = [
  "*",
  "bash",
  "edit",
  "webfetch",
  "websearch",
  "external_directory",
  "task",
  "skill",
];
const READING = ["glob", "grep", "list", "lsp", "todowrite"];

/**
 * Variables by which it asks about everything, or does nothing but read; the variable goes over all configuration files.
 * A sub-agent has no other rules than these.
 */
export function describePermissions(action: "ask" | "deny"): Readonly<Record<string, string>> {
  const reading = action === "ask" ? action : "allow";
  const rules = {
    ...Object.fromEntries(CHANGING.map((name) => [name, action])),
    ...Object.fromEntries(READING.map((name) => [name, reading])),
    // Who reads without being asked reads no secrets.
    read: action === "ask" ? action : { "*": "allow", "*.env": "deny", "*.env.*": "deny" },
    ...NOBODY_ANSWERS,
  };
  return { OPENCODE_PERMISSION: JSON.stringify(rules) };
}

const NOBODY_ANSWERS = { question: "deny", plan_enter: "deny", plan_exit: "deny" } as const;

interface SessionRule {
  readonly permission: string;
  readonly pattern: "*";
  readonly action: "ask" | "deny";
}

/** Rules of one session, which go over those of the agent that the user has configured. */
export function sessionRules({ isPlan }: { readonly isPlan: boolean }): readonly SessionRule[] {
  const rule = (permission: string, action: SessionRule["action"]): SessionRule => ({
    permission,
    pattern: "*",
    action,
  });
  return [
    rule("*", "ask"),
    ...Object.keys(NOBODY_ANSWERS).map((name) => rule(name, "deny")),
    ...(isPlan ? [rule("edit", "deny")] : []),
  ];
}
