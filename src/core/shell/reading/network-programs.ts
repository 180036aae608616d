// Programs that go over the network and change nothing here, with the options for which that is so.
import type { SimpleCommand } from "../simple-command.ts";
import { type OptionRule, proveWords } from "./option-rule.ts";

const CONNECTS: OptionRule = { flags: "vznu46", valued: "wp" };
const ASKS: OptionRule = {
  flags: "abcdfilnqrstv46CTNRUAVWh",
  valued: "wmpeg",
  words: /^-[\w=.:+-]+$/,
};

const RULES: Readonly<Record<string, OptionRule>> = {
  curl: {
    flags: "sSLfkiIvG46gNjlnq#0",
    valued: "HAmewouxb",
    long: `silent show-error location fail fail-with-body insecure include head verbose get ipv4 ipv6 compressed header=
      user-agent= max-time= connect-timeout= retry= retry-delay= retry-max-time= referer= url= http1.1 http2 user= proxy=
      globoff no-buffer max-redirs= resolve= progress-bar no-progress-meter range= cacert= tlsv1.2 tlsv1.3 ssl-reqd
      write-out= output= retry-all-errors retry-connrefused speed-time= speed-limit= path-as-is parallel`,
  },
  ...{ nc: CONNECTS, ncat: CONNECTS, netcat: CONNECTS },
  ...{
    ping: ASKS,
    ping6: ASKS,
    dig: ASKS,
    nslookup: ASKS,
    host: ASKS,
    traceroute: ASKS,
    tracepath: ASKS,
    mtr: ASKS,
    whois: ASKS,
  },
};

const BLACK_HOLE = /^(\/dev\/null|-)$/;

/** Programs that are not listed are taken by what their verbs say. */
export function provesNetwork(name: string, command: SimpleCommand): boolean {
  if (UNPROVEN.has(name)) return false;
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (rule === undefined) return true;
  const proven = proveWords(command.words.slice(1), rule, command);
  if (proven === null) return false;
  return proven.values.every(({ option, word }) => {
    if (name === "curl" && /^(-o|--output)$/.test(option)) return BLACK_HOLE.test(word.text);
    // `%output{file}` writes, and `-w @file` may say so.
    return (
      !/^(-w|--write-out)$/.test(option) ||
      (word.kind === "literal" && !/%output|^@/.test(word.text))
    );
  });
}

/** These run programs or open a shell of their own. */
const UNPROVEN: ReadonlySet<string> = new Set(["socat", "telnet", "lynx", "w3m"]);
