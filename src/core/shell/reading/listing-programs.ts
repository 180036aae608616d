// Programs that make and change archives, packages, connections and logs, and only show them under some of their options.
import { by, type OptionRule, type Prove, proveWords } from "./option-rule.ts";

/** Under these options and with one of those letters, without which it writes. */
const showing =
  (letters: RegExp, rule: OptionRule): Prove =>
  (words, command) =>
    words.some(({ text, kind }) => kind === "literal" && /^-\w/.test(text) && letters.test(text)) &&
    proveWords(words, rule, command) !== null;

const TO_OUTPUT = showing(/c/, { flags: "cdkvqn123456789" });
const TESTED = showing(/[lt]/, { flags: "ltkvq" });
/** For some of them the last of `-t -d` counts. */
const COMPRESSED: Prove = (words, command) => TO_OUTPUT(words, command) || TESTED(words, command);

/** `tar tvf FILE`; a file behind a host's name would be fetched by another program. */
const provesTar: Prove = ([first, ...rest], command) => {
  if (first?.kind !== "literal" || !/^-?(?=[^t]*t)[tvzjJZa]+f?$/.test(first.text)) return false;
  const letters = { ...first, text: first.text.replace(/^-?/, "-") };
  const rule = { flags: "tvzjJZa", valued: "fC", long: "list verbose wildcards" };
  const proven = proveWords([letters, ...rest], rule, command);
  return (
    proven?.values.every(({ word: { text, kind } }) => kind !== "open" && !text.includes(":")) ===
    true
  );
};

const OBJECT = /^(a|addr|address|l|link|r|ro|route|n|neigh|rule|maddr)$/;

/** `ip link s` would be `set`. */
const provesIp: Prove = (words, command) => {
  const rule = { words: /^-(4|6|s|d|o|j|p|c|br|brief|json|color|details|stats|oneline|pretty)$/ };
  const [object, verb] = proveWords(words, rule, command)?.operands ?? [];
  if (object?.kind !== "literal" || !OBJECT.test(object.text)) return false;
  return (
    verb === undefined || (verb.kind === "literal" && /^(sh|show|list|ls|get)$/.test(verb.text))
  );
};

const provesFirst =
  (first: RegExp, rule: OptionRule): Prove =>
  ([option, ...rest], command) =>
    option?.kind === "literal" &&
    first.test(option.text) &&
    proveWords(rest, rule, command) !== null;

const CERTIFICATE =
  /^-(noout|text|subject|issuer|dates|enddate|startdate|fingerprint|serial|sha1|sha256|purpose|modulus|pubkey|in|inform|ext|checkend|nameopt)$/;

/** A certificate may be fetched from an address. */
const provesOpenssl: Prove = ([verb, ...rest], command) => {
  if (rest.some(({ text, kind }) => kind === "open" || text.includes(":/"))) return false;
  if (verb?.text === "x509") return proveWords(rest, { words: CERTIFICATE }, command) !== null;
  const digest = { words: /^-(md5|sha1|sha224|sha256|sha384|sha512|hex|r|c)$/ };
  return /^(dgst|version)$/.test(verb?.text ?? "") && proveWords(rest, digest, command) !== null;
};

const PACKAGES: OptionRule = {
  flags: "lLsSp",
  long: "list listfiles status search print-avail print-architecture get-selections no-pager",
};

/** What stands in the file of `@file` counts as options, and one of nm's loads a library. */
const PLAIN_NAMES = { operand: /^[^@]/ };

export const LISTING_PROGRAMS: readonly (readonly [string, Prove])[] = [
  ...["tar", "gtar"].map((name) => [name, provesTar] as const),
  ...["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd"].map(
    (name) => [name, COMPRESSED] as const,
  ),
  ["unzip", showing(/[lvtpcZ]/, { flags: "lvtpcqZ1h" })],
  ["zipinfo", by({ flags: "12smlvhtzTM" })],
  ...["zgrep", "zegrep", "zfgrep"].map(
    (name) => [name, by({ flags: "nicrlovwEFHhqx", valued: "eABCm" })] as const,
  ),
  [
    "dpkg",
    provesFirst(/^(-[lLsSp]|--(list|listfiles|status|search|print-architecture))$/, PACKAGES),
  ],
  [
    "dpkg-query",
    by({ flags: "lLsSWp", valued: "f", long: "show showformat= list listfiles status search" }),
  ],
  [
    "journalctl",
    by({
      flags: "rkaqxefb",
      valued: "nuptoSUg",
      long: `no-pager since= until= unit= user system lines= output= priority= identifier= grep= boot dmesg reverse all
        quiet follow utc list-boots disk-usage`,
    }),
  ],
  [
    "dmesg",
    by({ flags: "HTktruxdew", valued: "lf", long: "human ctime level= facility= follow decode" }),
  ],
  [
    "nm",
    by({
      flags: "agnpruCDASlvP",
      long: "demangle defined-only undefined-only dynamic",
      ...PLAIN_NAMES,
    }),
  ],
  [
    "objdump",
    by({
      flags: "dDhtTxrRsSplaCfgGw",
      valued: "jMbm",
      long: "disassemble syms headers section= demangle",
      ...PLAIN_NAMES,
    }),
  ],
  ["ss", by({ flags: "antulpeimoswxOHZ460", valued: "fA" })],
  ["netstat", by({ flags: "tulnpaerisgWcv46", valued: "A" })],
  ["ip", provesIp],
  ["mount", by({ flags: "l", valued: "t", maxOperands: 0 })],
  ["kill", provesFirst(/^-(l|L|0)$/, {})],
  ["bc", by({ flags: "lqs", long: "mathlib quiet standard", maxOperands: 0 })],
  ["col", by({ flags: "bfhpx", valued: "l", maxOperands: 0 })],
  [
    "shellcheck",
    by({
      flags: "axC",
      valued: "sfeioSP",
      long: "severity= shell= format= exclude= external-sources color=",
    }),
  ],
  ["node", provesFirst(/^(--check|-c)$/, { maxOperands: 1 })],
  ["openssl", provesOpenssl],
];
