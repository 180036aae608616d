// Programs that only read, with the options for which that is so.
import type { ShellWord, SimpleCommand } from "../simple-command.ts";
import { provesAwk } from "./awk-program.ts";
import {
  provesDeclaration,
  provesNames,
  provesPlainWords,
  provesPrintf,
  provesTest,
} from "./builtin-words.ts";
import { LISTING_PROGRAMS } from "./listing-programs.ts";
import { by, type OptionRule, type Prove, proveWords } from "./option-rule.ts";
import { provesSed } from "./sed-script.ts";
import { VERB_PROGRAMS } from "./verb-programs.ts";

/** None of their options writes or runs anything: any words will do, those that nobody knows too. */
const FREE: Prove = () => true;

const rows = (names: string, prove: Prove): [string, Prove][] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, prove]);

const FIND_WORDS =
  /^-(name|iname|path|ipath|wholename|iwholename|regex|iregex|regextype|type|xtype|size|[amc]time|[amc]min|newer[aBcmt]{0,2}|anewer|cnewer|maxdepth|mindepth|depth|d|print|print0|printf|ls|prune|o|or|a|and|not|empty|perm|user|group|uid|gid|nouser|nogroup|links|inum|samefile|lname|ilname|readable|writable|executable|true|false|quit|follow|mount|xdev|daystart|noleaf|ignore_readdir_race|warn|nowarn|exec|execdir|ok|okdir|[HLP]|O[0-3]|\d+|used|fstype)$/;

/** What `-exec` runs is a command of the line in its own right; words of it that look like options belong to it. */
const provesFind: Prove = (words, command) => {
  const own: ShellWord[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    own.push(word);
    if (!/^-(exec|execdir|ok|okdir)$/.test(word.text)) continue;
    while (index + 1 < words.length && !/^(;|\+)$/.test(words[index + 1]?.text ?? "")) index++;
    index++;
  }
  return proveWords(own, { words: FIND_WORDS }, { ...command, found: null }) !== null;
};

const FD: OptionRule = {
  flags: "HIsiFagLpl0u1",
  valued: "dtesESocj",
  long: "hidden no-ignore case-sensitive ignore-case glob regex fixed-strings absolute-path list-details follow full-path max-depth= min-depth= exact-depth= type= extension= size= exclude= changed-within= changed-before= color= max-results= print0 threads= unrestricted no-ignore-vcs strip-cwd-prefix and= one-file-system quiet",
};

const RG: OptionRule = {
  flags: "niIlLcovwxFSsUPNHhpqau0z.",
  valued: "ABCegtTmjMrEdf",
  long: "line-number no-line-number ignore-case files files-with-matches files-without-match count count-matches only-matching invert-match word-regexp line-regexp fixed-strings smart-case case-sensitive multiline multiline-dotall pcre2 no-filename with-filename heading no-heading pretty quiet text hidden no-ignore no-ignore-vcs no-ignore-dot no-ignore-parent unrestricted glob= iglob= type= type-not= type-add= type-list max-count= max-depth= max-columns= max-filesize= context= after-context= before-context= regexp= replace= color= colors= column no-column sort= sortr= threads= json stats trim vimgrep passthru null follow no-messages one-file-system encoding= engine= crlf null-data no-config byte-offset files-from= file= max-columns-preview version help search-zip",
};

const SORT: OptionRule = {
  flags: "nrubfhVcCdgiMRsmz",
  valued: "ktS",
  long: "numeric-sort reverse unique ignore-leading-blanks ignore-case human-numeric-sort version-sort check dictionary-order general-numeric-sort ignore-nonprinting month-sort random-sort stable merge zero-terminated key= field-separator= buffer-size= parallel= sort= debug",
};

const READING: ReadonlyMap<string, Prove> = new Map<string, Prove>([
  ...rows(
    `: true false echo cat tac nl head tail wc cut tr fold fmt pr paste join comm cmp rev expand unexpand ls dir vdir
     stat du df basename dirname realpath readlink pwd seq md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum
     cksum sum shasum md5 grep egrep fgrep  id whoami uname nproc uptime free tty groups printenv which whereis
     strings od hexdump hexyl  size readelf   ps pgrep pidof pstree jq logname sleep factor numfmt
     zcat bzcat xzcat lsblk lscpu lsmod lspci lsusb lsb_release sw_vers vmstat ipcs getconf getent locale who w last
     arch cal expr tsort look    yes pathchk pwdx lsattr otool
     break continue exit return shift cd pushd popd dirs fg bg disown  caller times umask ulimit set
     shopt unalias type help exec eval trap alias command builtin 
     env xargs timeout stdbuf setsid nice ionice noglob nocorrect - caffeinate logout suspend help clear dircolors
      `,
    FREE,
  ),
  ...rows("test [", provesTest),
  ...rows("printf", provesPrintf),
  ...rows("read getopts unset wait", provesNames),
  ...rows("export declare typeset local readonly", provesDeclaration),
  ...rows("jobs", by({ flags: "lnprs" })),
  ...rows("history", by({ maxOperands: 1, operand: /^\d+$/ })),
  ...rows("find gfind", provesFind),
  ...rows("fd fdfind", provesFd),
  ...rows("rg", by(RG)),
  ...rows(
    "ag ack",
    by({
      flags: "nilLcowvQsSuH",
      valued: "ABCGm",
      long: "ignore-case literal hidden count files-with-matches word-regexp nocolor noheading nogroup numbers column",
    }),
  ),
  ...rows("sed gsed", provesSed),
  ...rows("awk gawk mawk nawk", provesAwk),
  ...rows("sort", by(SORT)),
  ...rows(
    "shuf",
    by({
      flags: "erz",
      valued: "ni",
      long: "head-count= echo input-range= repeat zero-terminated",
    }),
  ),
  ...rows(
    "uniq",
    by({
      flags: "cdDiuz",
      valued: "fsw",
      long: "count repeated ignore-case unique skip-fields= skip-chars= check-chars= all-repeated group",
      maxOperands: 1,
    }),
  ),
  ...rows("xxd", by({ flags: "abeEipuCd", valued: "cglos", maxOperands: 1 })),
  ...rows(
    "tree",
    by({
      flags: "adflxDFgGhinNpqrsStuvACJX",
      valued: "LPI",
      long: "noreport dirsfirst filesfirst prune gitignore du si inodes device sort= filelimit= charset= matchdirs ignore-case",
    }),
  ),
  ...rows(
    "eza exa",
    by({
      flags: "1GlRTxFaAdrhHibgmnuUtSs",
      valued: "LI",
      long: "all long tree level= git icons color= sort= reverse header group-directories-first no-permissions no-user no-time only-dirs ignore-glob= git-ignore oneline",
    }),
  ),
  ...rows(
    "bat batcat",
    by({
      flags: "pPnA",
      valued: "lrHm",
      long: "plain paging= color= style= language= line-range= number show-all highlight-line= theme= decorations= wrap= no-pager",
    }),
  ),
  ...rows(
    "date",
    by({
      flags: "uRI",
      valued: "dr",
      long: "utc iso-8601 rfc-3339 date= reference= rfc-email universal",
      operand: /^\+/,
    }),
  ),
  ...rows("hostname", by({ flags: "fsidIAy", maxOperands: 0 })),
  ...rows(
    "file",
    by({
      flags: "bhiILNkLrsvz0",
      valued: "F",
      long: "brief mime mime-type mime-encoding dereference no-dereference extension keep-going",
    }),
  ),
  ...rows(
    "diff colordiff",
    by({
      flags: "qrNuiwbBaysctEZdTHpe",
      valued: "UCIxFWLS",
      long: "brief recursive new-file unified context= ignore-case ignore-all-space ignore-space-change ignore-blank-lines text side-by-side color exclude= label= width= strip-trailing-cr suppress-common-lines report-identical-files no-dereference minimal normal expand-tabs",
    }),
  ),
  ...rows(
    "column",
    by({
      flags: "txeJdLn",
      valued: "scoNRTHWEC",
      long: "table separator= output-separator= table-columns= json table-right=",
    }),
  ),
  ...rows("base64 base32", by({ flags: "dDi", valued: "w", long: "decode wrap= ignore-garbage" })),
  ...rows("diff3 cloc tokei apropos whatis", by({})),
  ...rows("iconv", by({ flags: "lcs", valued: "ft", long: "from-code= to-code= list" })),
  ...rows(
    "less more zless zmore zdiff",
    by({
      flags: "RNSFXiEeMmqrsnfKc",
      long: "RAW-CONTROL-CHARS no-init quit-if-one-screen chop-long-lines",
      numbers: true,
      operand: /^[^+]/,
    }),
  ),
  ...rows("man info", by({ flags: "fkaw", operand: /^[\w.:@[\]-]+$/ })),
  ...rows("top", by({ flags: "bciHSE", valued: "npuUowd" })),
  ...rows("lsof", by({ flags: "nPtFUNRlabO", valued: "ipucd" })),
  ...rows("stty", by({ flags: "a", maxOperands: 1, operand: /^size$/ })),
  ...rows(
    "tput",
    by({
      operand: /^(cols|lines|colors|setaf|setab|sgr0|bold|dim|smul|rmul|rev|el|cup|clear|\d+)$/,
    }),
  ),
  ...rows("locate mdfind", by({ flags: "iclrbwe0", valued: "n" })),
  ...rows("time", by({ flags: "pv" })),
  ...rows("taskset chrt", by({ operand: /^[^-]/ })),
  ...rows(
    "watch",
    by({
      flags: "dtecgbx",
      valued: "n",
      long: "interval= differences no-title color errexit chgexit",
    }),
  ),
  ...rows("dd", by({ operand: /^(if|bs|ibs|obs|count|skip|status|iflag|seek)=/ })),
  ...rows("crontab", by({ flags: "l", maxOperands: 0 })),
  ...rows(
    "yq",
    by({
      // `-s` of one of the two programs of that name writes a file for each document.
      flags: "rcejnMCPN",
      valued: "op",
      long: "output-format= input-format= raw-output no-colors prettyPrint null-input exit-status indent=",
    }),
  ),
  ...rows("getopt", by({ flags: "aquT", valued: "olns", long: "options= longoptions= name=" })),
  ...rows("cross-env", FREE),
  ...VERB_PROGRAMS,
  ...LISTING_PROGRAMS,
]);

function provesFd(words: readonly ShellWord[], command: SimpleCommand): boolean {
  const at = words.findIndex(({ text }) => /^(-x|-X|--exec|--exec-batch)$/.test(text));
  return (
    proveWords(at === -1 ? words : words.slice(0, at), FD, { ...command, found: null }) !== null
  );
}

/** Wrappers have options of their own; what they run is another command. */
const WRAPPER_RULES: ReadonlyMap<string, OptionRule> = new Map<string, OptionRule>([
  ["env", { flags: "i0v", valued: "uC", long: "ignore-environment unset= chdir= null" }],
  [
    "xargs",
    {
      flags: "0rtpx",
      valued: "IJiEdLnPsa",
      long: "null no-run-if-empty verbose max-args= max-procs= max-lines= delimiter= replace= arg-file= exit",
    },
  ],
  [
    "timeout",
    { flags: "fv", valued: "ks", long: "foreground preserve-status kill-after= signal= verbose" },
  ],
  ["nice", { valued: "n", numbers: true, long: "adjustment=" }],
  ["stdbuf", { valued: "ioe", long: "input= output= error=" }],
  ["setsid", { flags: "cfw", long: "wait ctty fork" }],
  ["command", { flags: "pvV" }],
  ["exec", { flags: "cl", valued: "a" }],
  ["ionice", { flags: "t", valued: "cn", long: "class= classdata=" }],
]);

/** The words of a wrapper up to what it runs. */
function provesWrapper(words: readonly ShellWord[], rule: OptionRule): boolean {
  const own: ShellWord[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined || !/^-./.test(word.text)) break;
    own.push(word);
    const takesNext = proveWords([word], rule, { takesMoreWords: false, found: null }) === null;
    const next = words[index + 1];
    if (!takesNext || next === undefined) continue;
    own.push(next);
    index++;
  }
  return proveWords(own, rule, { takesMoreWords: false, found: null }) !== null;
}

const FREE_NAMES: ReadonlySet<Prove> = new Set([FREE]);

/** Whether a program is known to be able to only read; `explain` tells it from one that nobody knows. */
export const isReadingProgram = (name: string): boolean => READING.has(name);

/** Whether everything the command itself does is to read. Redirections, variables and inner commands are judged apart. */
export function provesReading(name: string, command: SimpleCommand): boolean {
  const prove = READING.get(name);
  if (prove === undefined) return false;
  const words = command.words.slice(1);
  const wrapper = WRAPPER_RULES.get(name);
  if (wrapper !== undefined) return provesWrapper(words, wrapper);
  if (!provesPlainWords(name, words)) return false;
  return FREE_NAMES.has(prove) || prove(words, command);
}
