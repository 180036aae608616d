// What of the network a command uses, as far as its words tell: the hosts they name, and whether it is everyday work with
// hosts that the project has chosen already.
import { AGENT_PROGRAMS } from "../../agents/roster.ts";
import { carriedCode } from "../../core/shell/carried-code.ts";
import { effectsOf } from "../../core/shell/effects/effects-of.ts";
import { readGitCall } from "../../core/shell/git-call.ts";
import { classifyCommand } from "../../core/shell/safety.ts";
import {
  type LineAnalysis,
  operandsOf,
  type SimpleCommand,
} from "../../core/shell/simple-command.ts";

interface NetworkUse {
  readonly hosts: readonly string[];
  readonly isEveryday: boolean;
}

/** Null where it uses none. */
export function networkUse(command: SimpleCommand, { commands }: LineAnalysis): NetworkUse | null {
  const handed = carriedCode(commands);
  const isReader = handed[0]?.reader === command;
  const use = programUse(command, isReader ? handed.map(({ text }) => text).join("\n") : "");
  if (use?.isEveryday === true) {
    const written = addressesWritten(commands);
    if (written.length > 0) return { hosts: [...use.hosts, ...written], isEveryday: false };
  }
  // An address that the line gives is not one that the project has chosen.
  const settings = command.assignments.flatMap(({ name, value }) =>
    ADDRESS_VARIABLE.test(name) ? [...hostsIn(value.text), ...bareHosts(value.text)] : [],
  );
  if (settings.length === 0) return use;
  const isClient = CLIENTS.test(command.words[0]?.text ?? "");
  if (use === null && !isClient) return null;
  return { hosts: [...(use?.hosts ?? []), ...settings], isEveryday: false };
}

/** They talk to a server in whatever they do. */
const CLIENTS = /^(docker|podman)$/;
const SETTINGS_FILE =
  /(^|\/)(\.git\/config|\.gitconfig|git\/config|\.npmrc|\.yarnrc(\.yml)?|bunfig\.toml|\.?pip\.conf|\.pypirc|\.cargo\/config(\.toml)?|\.curlrc|\.wgetrc|\.netrc)$/;

/** `echo registry=… > .npmrc; npm install`: the addresses that the line puts into settings before they are used. */
const addressesWritten = (commands: readonly SimpleCommand[]): string[] =>
  commands.flatMap((command) => {
    const texts = [
      ...command.words.map(({ text }) => text),
      ...command.redirections.flatMap((each) => (each.kind === "text" ? [each.body.text] : [])),
    ];
    const hosts = texts.flatMap(hostsIn);
    if (hosts.length === 0 || command.words[0]?.text === "git") return [];
    const writes = effectsOf(command).some(
      ({ access, word }) => access === "write" && SETTINGS_FILE.test(word.text),
    );
    return writes ? hosts : [];
  });

const ADDRESS_VARIABLE =
  /^(?:\w*_proxy|PGHOST(?:ADDR)?|DOCKER_HOST|GIT_CONFIG_(?:KEY_\d+|VALUE_\d+|PARAMETERS)|GOPROXY|npm_config_(?:registry|proxy|https_proxy)|PIP_(?:EXTRA_)?INDEX_URL|UV_(?:DEFAULT_)?INDEX(?:_URL)?|CARGO_REGISTRIES_\w+)$/i;

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
    return settings.length === 0 || use === null
      ? use
      : { hosts: [...use.hosts, ...settings], isEveryday: false };
  }
  if (ADDRESSED.has(name)) return addressedUse(name, args, { named, ...command });
  if (CLOUD.has(name)) return { hosts: named, isEveryday: isPlain(args) };
  if (DATABASES.test(name)) return databaseUse(args, named);
  const code = INTERPRETERS.test(name) ? codeUse(command, named, carried) : null;
  if (code !== null || (INTERPRETERS.test(name) && !Object.hasOwn(SENDS, name))) return code;
  return packageUse(command, { name, args, named });
}

function packageUse(
  command: SimpleCommand,
  { name, args, named }: { name: string; args: readonly string[]; named: readonly string[] },
): NetworkUse | null {
  const [verb = "", next = ""] = operandsOf(args);
  if (UPLOADS[name]?.test(`${verb} ${next}`) === true && !args.includes("--dry-run"))
    return { hosts: named, isEveryday: false };
  const addressed = args.flatMap(addressIn);
  const isForge = /^(gh|glab)$/.test(name) && verb !== "api";
  if (addressed.length > 0 && !isForge && !TEXTS.has(name)) {
    const safety = classifyCommand(command, AGENT_PROGRAMS);
    if (safety !== "read_only") return { hosts: addressed, isEveryday: false };
  }
  if (EVERYDAY.has(name) || VERBS[name]?.test(verb) === true)
    return { hosts: named, isEveryday: true };
  if (SENDS[name]?.test(args.join(" ")) === true) return { hosts: named, isEveryday: false };
  if (classifyCommand(command, AGENT_PROGRAMS) !== "network") return null;
  return { hosts: named, isEveryday: Object.hasOwn(VERBS, name) };
}

/** Of a word that is an address as a whole, or the value of an option that is one. */
const addressIn = (text: string): string[] =>
  /^(?:-{1,2}[\w.:-]+=|[\w:]+=)?[a-z][a-z0-9+.-]{1,30}:\/\/\S+$/i.test(text) ? hostsIn(text) : [];

/** An address among their words is text, or where something local is to be reached. */
const TEXTS: ReadonlySet<string> = new Set(
  `echo printf export declare local readonly typeset set test [ [[ sed gsed awk gawk grep rg jq yq cat tee
   sqlite3 adj make just task`.split(/\s+/),
);

const GIT =
  /^(fetch|pull|push|clone|ls-remote|submodule|send-email|send-pack|fetch-pack|request-pull|http-push|http-fetch|svn|p4|imap-send|bundle-uri|archive|lfs)$/;

/** A remote that is named is one the project has; an address in the line is where somebody wants its work to go. */
function gitUse(subcommand: string, args: readonly string[]): NetworkUse | null {
  const hosts = args.flatMap(hostsIn);
  const isNewRemote = subcommand === "remote" && /^(add|set-url)$/.test(operandsOf(args)[0] ?? "");
  if (isNewRemote) return hosts.length === 0 ? null : { hosts, isEveryday: false };
  if (subcommand === "config") {
    const at = args.findIndex((arg) => ADDRESS_SETTING.test(arg));
    const set = at === -1 ? [] : settingHosts(args[at] ?? "", args[at + 1] ?? "");
    return set.length === 0 ? null : { hosts: set, isEveryday: false };
  }
  if (!GIT.test(subcommand) || (subcommand === "archive" && hosts.length === 0)) return null;
  return { hosts, isEveryday: hosts.length === 0 && subcommand !== "send-email" };
}

const ADDRESS_SETTING =
  /^(remote\..*\.(url|pushurl|proxy|vcs)|url\..*\.(insteadof|pushinsteadof)|http(\..*)?\.proxy|core\.gitproxy|submodule\..*\.url|lfs\.url|svn-remote\..*)$/i;

const settingHosts = (name: string, value: string | null): string[] =>
  !ADDRESS_SETTING.test(name) ? [] : value === null ? ["?"] : [...hostsIn(name), ...hostsIn(value)];

/** Their words are addresses, with or without a scheme. */
const ADDRESSED: ReadonlySet<string> = new Set(
  `curl wget http https httpie xh aria2c axel lynx links elinks w3m get post lwp-request lwp-download lwp-mirror ssh scp
   sftp ftp lftp tftp rsync mosh ping dig nslookup host nc ncat netcat socat telnet whois traceroute tracepath mtr ssh-keyscan
   ssh-copy-id websocat grpcurl nmap mosquitto_pub mosquitto_sub smbclient ldapsearch swaks sendmail msmtp mailx
   youtube-dl yt-dlp ztcp tcp_open`.split(/\s+/),
);

const REMOTE = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)/;

function addressedUse(
  name: string,
  args: readonly string[],
  { named, takesMoreWords }: SimpleCommand & { readonly named: readonly string[] },
): NetworkUse | null {
  if (isPlain(args) && !takesMoreWords) return null;
  if (/^(scp|rsync)$/.test(name)) {
    const remote = operandsOf(args).flatMap((arg) => REMOTE.exec(arg)?.[1] ?? []);
    return remote.length + named.length === 0
      ? null
      : { hosts: [...named, ...remote], isEveryday: false };
  }
  const bare = named.length > 0 ? [] : operandsOf(args).flatMap(bareHosts);
  return { hosts: takesMoreWords ? ["?"] : [...named, ...bare], isEveryday: false };
}

const isPlain = (args: readonly string[]): boolean =>
  args.length === 0 || args.every((arg) => /^(--?version|-V|--?help|-h|help|version)$/.test(arg));

/** `localhost:8080/x` and a host that stands alone. */
function bareHosts(text: string): string[] {
  const host = /^([a-z0-9][\w.-]*\.[a-z0-9-]+|localhost|\[[0-9a-f:]+\])(?::\d+)?(?:[/?#]|$)/i.exec(
    text,
  );
  return host?.[1] === undefined ? [] : [host[1].replace(/^\[|\]$/g, "")];
}

/** Of addresses inside a text, and of `user@host:path`. */
export function hostsIn(text: string): string[] {
  const urls = text.match(/\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]+/gi) ?? [];
  const remote = /^[\w.-]+@([\w.-]+)(?::|$)/.exec(text)?.[1];
  const found = urls.flatMap((url) => URL.parse(url)?.hostname || []);
  return remote === undefined ? found : [...found, remote];
}

const CLOUD: ReadonlySet<string> = new Set(
  "aws gcloud gsutil az heroku fly flyctl vercel netlify wrangler firebase rclone s3cmd".split(" "),
);

const DATABASES =
  /^(psql|pg_\w+|pgbench|createdb|dropdb|createuser|dropuser|vacuumdb|reindexdb|clusterdb|mysql\w*|mariadb[\w-]*|redis-cli|mongo\w*|clickhouse-client|sqlcmd)$/;

/** Without a host they talk to the machine they are on. */
function databaseUse(args: readonly string[], named: readonly string[]): NetworkUse | null {
  const given = args.flatMap((arg, index) => {
    if (/^(-h|--host)$/.test(arg)) return [args[index + 1] ?? "?"];
    return /^(?:--host=|-h)(.+)$/.exec(arg)?.[1] ?? /\bhost=(\S+)/.exec(arg)?.[1] ?? [];
  });
  const hosts = [...named, ...given].filter((host) => !/^(\/|$)/.test(host));
  return hosts.length === 0 ? LOCAL_DATABASE : { hosts, isEveryday: false };
}

const LOCAL_DATABASE: NetworkUse = { hosts: [], isEveryday: true };

/** What leaves the machine for good, by the words behind the program. */
const UPLOADS: Readonly<Record<string, RegExp>> = {
  npm: /^(publish|unpublish|deprecate|login|adduser|token|owner|access|hook|team|org|profile|dist-tag (add|rm))\b/,
  pnpm: /^(publish|deploy)\b/,
  yarn: /^(publish|npm publish)\b/,
  bun: /^publish\b/,
  cargo: /^(publish|login|yank|owner)\b/,
  gem: /^(push|yank|owner)\b/,
  poetry: /^publish\b/,
  uv: /^publish\b/,
  twine: /./,
  docker: /^(push|login|image push)\b/,
  podman: /^(push|login|image push)\b/,
  helm: /^push\b/,
  gh: /^(gist create|release (create|upload)|secret set|ssh-key add|codespace cp)\b/,
  glab: /^(snippet create|release (create|upload))\b/,
  openssl: /^(s_client|s_time|ocsp|cmp)\b/,
};

/** By an option. */
const SENDS: Readonly<Record<string, RegExp>> = {
  gpg: /--(send|recv|receive|search|refresh)-keys?|--keyserver/,
  gpg2: /--(send|recv|receive|search|refresh)-keys?|--keyserver/,
  logger: /(^| )(-n|--server)/,
  mail: /@/,
  awk: /\/inet[46]?\//,
  gawk: /\/inet[46]?\//,
  vim: /[a-z]:\/\//,
  nvim: /[a-z]:\/\//,
};

const EVERYDAY: ReadonlySet<string> = new Set(
  `gh glab kubectl helm terraform apt apt-get dnf yum apk pacman brew npx bunx`.split(/\s+/),
);

/** `npm install` and its like, by their first word. */
const VERBS: Readonly<Record<string, RegExp>> = {
  npm: /^(i|install|ci|add|update|view|info|search|outdated|audit|exec|x|create|init|ping|whoami|dist-tag)$/,
  pnpm: /^(i|install|add|update|view|outdated|audit|dlx|create)$/,
  yarn: /^(|install|add|up|upgrade|dlx|create|npm)$/,
  bun: /^(i|install|add|update|x|create)$/,
  pip: /^(install|download|index|search|wheel)$/,
  pip3: /^(install|download|index|search|wheel)$/,
  uv: /^(pip|add|sync|lock|tool)$/,
  poetry: /^(install|add|update|lock)$/,
  cargo: /^(install|add|update|search|fetch|build|run|test|check)$/,
  go: /^(get|install|mod)$/,
  gem: /^(install|update|fetch)$/,
  bundle: /^(install|update|add)$/,
  docker: /^(pull|build|run|search|compose)$/,
  podman: /^(pull|build|run|search)$/,
};

// Code given to an interpreter: an address in it counts where something beside it opens one.

const INTERPRETERS =
  /^(python[\d.]*|node|nodejs|tsx|ts-node|deno|bun|ruby|perl|php|Rscript|pwsh|powershell|osascript|lua|luajit|tclsh|expect|julia|elixir|groovy|gdb|lldb|n?vim?|view|ex|emacs)$/i;
/** Beside an address, these open it. */
const OPENS =
  /\b(fetch|urlopen|urlretrieve|requests|httpx|aiohttp|axios|http\.client|socket|open-uri|URI|LWP|file_get_contents|curl|Invoke-WebRequest|iwr|WebSocket|EventSource|undici|xmlrpc|geturl|java\.net)\b|["'](?:node:)?http[s2]?["']/;
/** Nothing but a connection is made by these, wherever the host's name comes from. */
const CONNECTS =
  /\b(?:(?:create|open)_connection|HTTPS?Connection|IO::Socket|fsockopen|stream_socket_client|TCPSocket|HTTP::Tiny|Net::(?:HTTP|FTP|SMTP|POP3|SSH|Telnet)|smtplib|ftplib|telnetlib|poplib|imaplib|nntplib|paramiko|get_server_certificate|SocketHandler|inet_aton|ch_open|http::geturl|target\s+(?:extended-)?remote)\b|\.connect\(\(|\b(?:net|tls|http2)["']?\)?\.(?:connect|createConnection)\b|\bSocket\)?\(\)\.connect\(|\bhttps?["']?\)?\.(?:get|request)\s*\(|\bfetch\s*\(|\burlopen\s*\(|\brequests\.(?:get|post|put|patch|delete|head|request)\s*\(|\bconnection\b[^\n]{0,80}\.Client\(|\[socket\s+[^-\s]/;
const QUOTED_HOST = /["'`]((?:[\w-]{1,63}\.){1,9}[\w-]{1,63}|localhost)(?::\d{1,5})?["'`]/g;
const MODULES: ReadonlySet<string> = new Set(["telnetlib", "ftplib", "smtplib", "webbrowser"]);

function codeUse(
  command: SimpleCommand,
  named: readonly string[],
  carried: string,
): NetworkUse | null {
  const args = command.words.slice(1);
  const module = args[0]?.text === "-m" ? args[1]?.text : undefined;
  if (module !== undefined && MODULES.has(module)) return { hosts: named, isEveryday: false };
  // `python3 -m pip install x` is `pip install x`.
  if (module !== undefined) return programUse({ ...command, words: args.slice(1) }, carried);
  const bodies = command.redirections.flatMap((each) =>
    each.kind === "text" ? [each.body.text] : [],
  );
  const code = [command.text, ...bodies, carried].join("\n");
  const hosts = [...named, ...[...bodies, carried].flatMap(hostsIn)];
  if (CONNECTS.test(code)) {
    const quoted = [...code.matchAll(QUOTED_HOST)].map(([, host = ""]) => host);
    return { hosts: [...hosts, ...quoted], isEveryday: false };
  }
  return hosts.length === 0 || !OPENS.test(code) ? null : { hosts, isEveryday: false };
}
