// What of the network a command uses, as far as its words tell: the hosts they name, and whether it is everyday work with
// hosts that the project has chosen already.
import { AGENT_PROGRAMS } from "../../../agents/roster.ts";
import { carriedCode, RUNS_SCRIPTS } from "../../../core/shell/carried-code.ts";
import { readGitCall } from "../../../core/shell/git-call.ts";
import { classifyCommand } from "../../../core/shell/safety.ts";
import {
  type LineAnalysis,
  operandsOf,
  type ShellWord,
  type SimpleCommand,
} from "../../../core/shell/simple-command.ts";
import { hostsOfCode, isOnlyInterpreter, takesCode } from "./code.ts";
import { DATABASES, databaseUse } from "./databases.ts";
import { addressesHanded, uniqueHosts } from "./handed-addresses.ts";
import { addressIn, bareHosts, hostsIn, type NetworkUse, remoteHosts, withPorts } from "./hosts.ts";
import {
  ADDRESSED,
  CLIENTS,
  CLOUD,
  CLOUD_READS,
  clientHosts,
  EVERYDAY,
  SENDS,
  TEXTS,
  UPLOADS,
  VERBS,
} from "./programs.ts";

/** Null where it uses none. */
export function networkUse(given: SimpleCommand, { commands }: LineAnalysis): NetworkUse | null {
  const command = withPorts(given, commands);
  if (isConnection(command) || copiesClient(command)) return { hosts: [], isEveryday: false };
  const handed = carriedCode(commands);
  const isReader = handed[0]?.reader === command;
  const use = programUse(command, isReader ? handed.map(({ text }) => text).join("\n") : "");
  if (use?.isEveryday === true) {
    const written = addressesHanded(command, commands);
    if (written.length > 0) return { hosts: [...use.hosts, ...written], isEveryday: false };
  }
  const name = command.words[0]?.text ?? "";
  const isClient = CLIENTS.test(name);
  if (use === null && !isClient && !Object.hasOwn(VERBS, name)) return use;
  // An address that the line gives is not one that the project has chosen.
  const settings = [
    ...exportedHosts(commands),
    ...assignedHosts(command),
    ...(isClient ? clientHosts(command.words.map(({ text }) => text)) : []),
  ];
  if (settings.length === 0) return use;
  return { hosts: [...(use?.hosts ?? []), ...settings], isEveryday: false };
}

const settingOf = (text: string): string[] => [...hostsIn(text), ...bareHosts(text)];

/** Bash opens a connection where a file of this name is to be opened. */
const isConnection = ({ redirections }: SimpleCommand): boolean =>
  redirections.some((each) => each.kind === "file" && /^\/dev\/(tcp|udp)\//.test(each.target.text));

/** `ln -s /usr/bin/curl make`: under another name it is the same program. */
const copiesClient = ({ words: [first, ...rest] }: SimpleCommand): boolean =>
  /^(ln|cp|mv|install|link)$/.test(first?.text ?? "") &&
  rest.some(({ text }) => {
    const at = text.lastIndexOf("/bin/");
    return at !== -1 && ADDRESSED.has(text.slice(at + "/bin/".length));
  });

const ADDRESS_VARIABLE =
  /^(?:\w*_proxy|PGHOST(?:ADDR)?|DOCKER_HOST|GIT_CONFIG_(?:KEY_\d+|VALUE_\d+|PARAMETERS)|GOPROXY|GH_HOST|GITLAB_HOST|npm_config_\w+|(?:PIP|UV|CARGO|RUSTUP|AWS_ENDPOINT|HOMEBREW|BUNDLE|POETRY)_\w+)$/i;

const assignedHosts = ({ assignments }: SimpleCommand): string[] =>
  assignments.flatMap(({ name, value }) =>
    ADDRESS_VARIABLE.test(name) ? settingOf(value.text) : [],
  );

/** What stands in the variables that the line sets for whatever comes after. */
function exportedHosts(commands: readonly SimpleCommand[]): readonly string[] {
  const known = EXPORTED.get(commands);
  if (known !== undefined) return known;
  const found = commands
    .filter(({ words }) => /^(export|declare|typeset)$/.test(words[0]?.text ?? ""))
    .flatMap(assignedHosts);
  const unique = uniqueHosts(found);
  EXPORTED.set(commands, unique);
  return unique;
}

/** Asked for with each command of a line: to read a thousand addresses anew for each of a thousand took a second. */
const EXPORTED = new WeakMap<readonly SimpleCommand[], readonly string[]>();

function programUse(command: SimpleCommand, carried: string): NetworkUse | null {
  const [first, ...rest] = command.words;
  const name = first?.text ?? "";
  const args = rest.map(({ text }) => text);
  const named = args.flatMap(hostsIn);
  const git = readGitCall(command);
  if (git !== null) {
    const texts = git.args.map(({ text }) => text);
    const settings = git.settings.flatMap(({ name: key, value }) => settingHosts(key, value));
    const use = gitUse(git.subcommand ?? "", texts);
    return settings.length === 0
      ? use
      : { hosts: [...(use?.hosts ?? []), ...settings], isEveryday: false };
  }
  if (ADDRESSED.has(name)) return addressedUse(name, args, { named, ...command });
  if (CLOUD.has(name)) {
    const isIdle = args.length === 0 ? !SENDS_AT_ONCE.test(name) : isPlain(args);
    const isLocal = LOCAL_VERBS[name]?.test(args.join(" ")) === true;
    const isRead = CLOUD_READS[name]?.test(operandsOf(args).join(" ")) === true;
    const isElsewhere = args.some((arg) => /^--?(endpoint|host|server|api)|https?:/.test(arg));
    const isAsked = isIdle || isLocal || (isRead && !isElsewhere) || asksSettings(args);
    return { hosts: named, isEveryday: isAsked };
  }
  if (DATABASES.test(name)) return databaseUse(command, named);
  if (RUNS_SCRIPTS.test(name) && CLIENT_LINE.test(carried))
    return { hosts: ["?"], isEveryday: false };
  const code = takesCode(name) ? codeUse(command, named, carried) : null;
  if (code !== null || (isOnlyInterpreter(name) && !Object.hasOwn(SENDS, name))) return code;
  const tool = runTool(name, rest);
  const inner = tool.length === 0 ? null : programUse({ ...command, words: tool }, carried);
  return inner ?? packageUse(command, { name, args, named });
}

/** In a script that the line itself put into `package.json`. */
const CLIENT_LINE = /(?:^|["'`;&|(\s])(?:curl|wget|nc|ncat|socat|ssh|scp|telnet)\s/;

/** `--proxy host:port` needs no scheme. */
const proxyIn = (before: string | undefined, arg: string): string[] => {
  const option = /^--(?:https?-)?proxy(?:=(.*))?$/;
  const attached = option.exec(arg)?.[1];
  if (attached !== undefined) return bareHosts(attached);
  return option.test(before ?? "") ? bareHosts(arg) : [];
};

/** Without a word they do what they are for. */
const SENDS_AT_ONCE = /^(vercel|semantic-release|coveralls|sonar-scanner|gh-pages)$/;

/** What `uvx --from x y z` and its like run. */
function runTool(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const line = [name, ...words.slice(0, 2).map(({ text }) => text)].join(" ");
  const verbs = TOOL_RUNNER.exec(line)?.[0].split(" ").length ?? 0;
  if (verbs === 0) return [];
  const rest = words.slice(verbs - 1);
  const at = rest.findIndex(
    ({ text }, index) => !text.startsWith("-") && !TOOL_OPTION.test(rest[index - 1]?.text ?? ""),
  );
  return at === -1 ? [] : rest.slice(at);
}

const TOOL_RUNNER = /^(uvx|uv tool run|uv run|pipx run)(?= )/;
const TOOL_OPTION =
  /^(--(from|with|spec|python|index-url|default-index|directory|project|extra|group|env-file|with-requirements)|-p|-w)$/;

function packageUse(
  command: SimpleCommand,
  { name, args, named }: { name: string; args: readonly string[]; named: readonly string[] },
): NetworkUse | null {
  const [verb = "", next = ""] = operandsOf(args);
  const isTold = isOnlyTold(args) || (args.length > 0 && isPlain(args));
  if (UPLOADS[name]?.test(`${verb} ${next}`) === true && !isTold)
    return { hosts: /^(adb|playwright)$/.test(name) ? bareHosts(next) : named, isEveryday: false };
  // Without a word it reads its commands.
  if (name === "openssl" && args.length === 0) return { hosts: [], isEveryday: false };
  const addressed = args.flatMap((arg, at) => [...addressIn(arg), ...proxyIn(args[at - 1], arg)]);
  const isForge = /^(gh|glab)$/.test(name) && verb !== "api";
  const isText = TEXTS.has(name) || (verb === "pkg" && !args.some((arg) => DEPENDENCY.test(arg)));
  if (addressed.length > 0 && !isForge && !isText) {
    const safety = classifyCommand(command, AGENT_PROGRAMS);
    if (safety !== "read_only") return { hosts: addressed, isEveryday: false };
  }
  if (SENDS[name]?.test(args.join(" ")) === true) return { hosts: named, isEveryday: false };
  if (EVERYDAY.has(name) || VERBS[name]?.test(verb) === true)
    return { hosts: named, isEveryday: true };
  if (classifyCommand(command, AGENT_PROGRAMS) !== "network") return null;
  return { hosts: named, isEveryday: Object.hasOwn(VERBS, name) };
}

/** It says, or makes here, what it would send. */
const ONLY_TOLD = /^--(dry-run|snapshot)$/;
/** npm takes a `false` behind an option for its value. */
const isOnlyTold = (args: readonly string[]): boolean =>
  args.some((arg, at) => ONLY_TOLD.test(arg) && args[at + 1] !== "false") &&
  !args.some((arg) => /^--(no-dry-run|dry-run=.*)$/.test(arg));

/** Of `npm pkg set`: where a package comes from, among much that is only told. */
const DEPENDENCY = /dependencies[.[]/i;

const GIT =
  /^(remote-[a-z]+|fetch|pull|push|clone|ls-remote|submodule|send-email|send-pack|fetch-pack|request-pull|http-push|http-fetch|svn|p4|imap-send|bundle-uri|archive|lfs|web--browse)$/;

/** A remote that is named is one the project has; an address in the line is where somebody wants its work to go. */
function gitUse(subcommand: string, args: readonly string[]): NetworkUse | null {
  const [repository = ""] = operandsOf(args);
  const isNamed = /^(clone|fetch|pull|push|ls-remote)$/.test(subcommand);
  // `ext::…` runs a program, and `host:path` may be an alias of ssh's.
  const hosts = [
    ...args.flatMap((arg) => (/^\w+::/.test(arg) ? ["?"] : hostsIn(arg))),
    ...(isNamed && !repository.includes("@") ? remoteHosts(repository) : []),
  ];
  const isNewRemote = subcommand === "remote" && /^(add|set-url)$/.test(operandsOf(args)[0] ?? "");
  if (isNewRemote) return hosts.length === 0 ? null : { hosts, isEveryday: false };
  if (subcommand === "config") {
    const at = args.findIndex((arg) => ADDRESS_SETTING.test(arg));
    const set = at === -1 ? [] : settingHosts(args[at] ?? "", args[at + 1] ?? "");
    return set.length === 0 ? null : { hosts: set, isEveryday: false };
  }
  if (!GIT.test(subcommand) || (subcommand === "archive" && hosts.length === 0)) return null;
  return {
    hosts,
    isEveryday: hosts.length === 0 && !/^(send-email|imap-send|p4)$/.test(subcommand),
  };
}

const ADDRESS_SETTING =
  /^(remote\..*\.(url|pushurl|proxy|vcs)|url\..*\.(insteadof|pushinsteadof)|http(\..*)?\.proxy|core\.gitproxy|submodule\..*\.url|lfs\.url|svn-remote\..*)$/i;

const settingHosts = (name: string, value: string | null): string[] =>
  !ADDRESS_SETTING.test(name) ? [] : value === null ? ["?"] : [...hostsIn(name), ...hostsIn(value)];

function addressedUse(
  name: string,
  args: readonly string[],
  { named, takesMoreWords }: SimpleCommand & { readonly named: readonly string[] },
): NetworkUse | null {
  // Without a word they read their settings for one, or what they are told.
  const isSilent = args.length === 0 && !/^(curl|wget|http)$/.test(name);
  if ((isSilent || (args.length > 0 && isPlain(args))) && !takesMoreWords) return null;
  if (/^(scp|rsync|pscp)$/.test(name)) {
    const remote = operandsOf(args).flatMap(remoteHosts);
    return remote.length + named.length === 0
      ? null
      : { hosts: [...named, ...remote], isEveryday: false };
  }
  const addresses = args.filter((_, index) => !takesFile(name, args[index - 1] ?? ""));
  if (args.some((arg) => LISTS[name]?.test(arg))) return { hosts: ["?"], isEveryday: false };
  const led = args.flatMap((arg, index) => ledHosts(name, arg, args[index - 1] ?? ""));
  const operands = operandsOf(addresses);
  const first = operands.findIndex((each) => bareHosts(each).length > 0);
  const addressed =
    ONE_ADDRESS.test(name) && first !== -1 ? operands.slice(0, first + 1) : operands;
  const bare = named.length > 0 ? [] : addressed.flatMap(bareHosts);
  return { hosts: takesMoreWords ? ["?"] : [...named, ...bare, ...led], isEveryday: false };
}

/** What stands behind the address is a service, or a text. */
const ONE_ADDRESS = /^(grpcurl|evans|nats)$/;

/** A file of addresses, beside which those of the line say nothing. */
const LISTS: Readonly<Record<string, RegExp>> = {
  curl: /^(-[fsSLkgN46#]*K|--config(=|$))/,
  wget: /^(-[qcN46]*i|--input-file(=|$))/,
  aria2c: /^(-i|--input-file(=|$))/,
};

/** `--connect-to localhost:80:example.org:80`: the connection goes elsewhere than the address says. */
function ledHosts(name: string, arg: string, before: string): string[] {
  const option = /^--(?:resolve|connect-to)(?:=(.*))?$/;
  const value = option.test(before) ? arg : option.exec(arg)?.[1];
  const host = name === "curl" ? value?.split(":")[2] : undefined;
  return host === undefined ? [] : [host];
}

/** `curl -so api.json localhost`: the option's value is a file. Letters before it take no value. */
const takesFile = (name: string, option: string): boolean =>
  name === "curl"
    ? /^(?:-[fsSLkivIgGN46#]*[oDc]|--output|--dump-header|--cookie-jar)$/.test(option)
    : name === "wget" && /^(?:-[qcN46]*[Oo]|--output-document|--output-file)$/.test(option);

/** Programs of a cloud that stand in for it on this machine. */
const LOCAL_VERBS: Readonly<Record<string, RegExp>> = {
  wrangler: /^(?=.* --local\b)(?!.* --(remote|tunnel))dev\b/,
  firebase: /^emulators:(start|exec)\b/,
};

/** What a program of a cloud has in its own settings. */
const asksSettings = (args: readonly string[]): boolean =>
  /^(configure list(-profiles)?|config (list|get|get-value \S+|configurations list)|account (show|list)|auth list)( |$)/.test(
    args.join(" "),
  );

const isPlain = (args: readonly string[]): boolean =>
  args.length === 0 || args.every((arg) => /^(--?version|-V|--?help|-h|help|version)$/.test(arg));

const MODULES: ReadonlySet<string> = new Set(["telnetlib", "ftplib", "smtplib", "webbrowser"]);

function codeUse(
  command: SimpleCommand,
  named: readonly string[],
  carried: string,
): NetworkUse | null {
  const args = command.words.slice(1);
  const module = args[0]?.text === "-m" ? args[1]?.text : undefined;
  if (module !== undefined && MODULES.has(module)) return { hosts: named, isEveryday: false };
  const hosts = hostsOfCode(command, carried);
  // `python3 -m pip install x` is `pip install x`.
  const inner =
    module === undefined ? null : programUse({ ...command, words: args.slice(1) }, carried);
  if (inner !== null || hosts === null) return inner;
  return { hosts, isEveryday: false };
}
