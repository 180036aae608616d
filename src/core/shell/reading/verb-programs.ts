// Programs that only read under some of their verbs, each with the options it may have then.
import type { SimpleCommand } from "../simple-command.ts";
import { type OptionRule, type Prove, proveWords } from "./option-rule.ts";

/** The verb comes first: an option before it may change everything. */
const verbs =
  (table: Readonly<Record<string, OptionRule>>): Prove =>
  (words, command) => {
    const [first, second] = words;
    if (first?.kind !== "literal") return false;
    const two = second?.kind === "literal" ? `${first.text} ${second.text}` : first.text;
    const rule = Object.hasOwn(table, two) ? table[two] : undefined;
    if (rule !== undefined) return proveWords(words.slice(2), rule, command) !== null;
    const single = Object.hasOwn(table, first.text) ? table[first.text] : undefined;
    return single !== undefined && proveWords(words.slice(1), single, command) !== null;
  };

const LIST: OptionRule = {
  flags: "aqlns",
  valued: "fn",
  long: "all quiet no-trunc filter= format= last= latest size",
};
const LOGS: OptionRule = {
  flags: "tf",
  valued: "n",
  long: "tail= since= until= timestamps details follow",
};
const CARGO: Prove = verbs({
  tree: {
    valued: "piedL",
    long: "package= invert= duplicates depth= edges= prefix= all-features offline locked workspace",
  },
  metadata: { long: "format-version= no-deps offline locked" },
  version: {},
  help: {},
});
/** It writes `Cargo.lock` where that is missing or old, unless told not to. */
const mayLock = ({ words }: SimpleCommand): boolean =>
  /^(tree|metadata)$/.test(words[1]?.text ?? "") &&
  !words.some(({ text }) => /^--(locked|no-deps)$/.test(text));

const CONTAINER: Prove = verbs({
  ...{
    ps: LIST,
    images: LIST,
    logs: LOGS,
    version: {},
    info: {},
    port: {},
    top: {},
    diff: {},
    history: LIST,
  },
  ...{
    inspect: { valued: "f", long: "format= type= size" },
    stats: { long: "no-stream all no-trunc format=" },
  },
  ...{
    "container ls": LIST,
    "container list": LIST,
    "image ls": LIST,
    "volume ls": LIST,
    "network ls": LIST,
  },
  ...{
    "context ls": LIST,
    "container inspect": {},
    "image inspect": {},
    "volume inspect": {},
    "network inspect": {},
  },
  ...{ "compose ps": LIST, "compose ls": LIST, "compose logs": LOGS },
});

const PACKAGES: Prove = verbs({
  ls: { flags: "gal", long: "depth= all json long prod dev global omit= production parseable" },
  list: { flags: "gal", long: "depth= all json long prod dev global omit= production parseable" },
  ...{
    why: { long: "json" },
    explain: { long: "json" },
    root: { flags: "g" },
    prefix: { flags: "g" },
    bin: {},
  },
  ...{ "config get": {}, "config list": {}, "config ls": {}, "pkg get": {} },
  ...{ ll: {}, help: {}, licenses: {}, "licenses list": {} },
});

const PIP: Prove = verbs({
  list: { flags: "oul", long: "outdated format= user local not-required exclude-editable" },
  show: { flags: "f", long: "files verbose" },
  freeze: { flags: "l", long: "local user all exclude-editable" },
  ...{ check: {}, help: {} },
});

export const VERB_PROGRAMS: readonly (readonly [string, Prove])[] = [
  ["docker", CONTAINER],
  ["podman", CONTAINER],
  ["npm", PACKAGES],
  ["pnpm", PACKAGES],
  ["bun", PACKAGES],
  ["pip", PIP],
  ["pip3", PIP],
  ["cargo", (words, command) => !mayLock(command) && CARGO(words, command)],
  [
    "go",
    verbs({
      version: { flags: "m" },
      env: { operand: /^[A-Z]\w*$/ },
      list: { valued: "f", words: /^-(m|json|deps|test|f|e|find)$/ },
      doc: { words: /^-(all|c|cmd|short|src|u)$/ },
      help: {},
    }),
  ],
  ["gem", verbs({ list: { flags: "la", long: "local all versions" }, which: {}, environment: {} })],
  [
    "systemctl",
    verbs({
      ...{
        status: { flags: "la", valued: "n", long: "no-pager lines= full user all" },
        show: { valued: "p", long: "no-pager property= user" },
      },
      ...{
        cat: { long: "no-pager user" },
        "is-active": { long: "user quiet" },
        "is-enabled": { long: "user" },
        "is-failed": {},
      },
      "list-units": { long: "no-pager all type= state= user failed" },
      "list-unit-files": { long: "no-pager type= state= user" },
      "list-timers": { long: "no-pager all user" },
    }),
  ],
];
