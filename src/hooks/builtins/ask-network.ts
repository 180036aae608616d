// Has a person asked before something goes to a host that nobody named. Package managers, git and their like talk to the
// hosts that a project has chosen; that is everyday work and asked about only with `everyday: ask`.
import { AGENT_PROGRAMS } from "../../agents/roster.ts";
import { matchGlob } from "../../core/project/glob.ts";
import { analyzeStepLine } from "../../core/shell/analyze-line.ts";
import { readGitCall } from "../../core/shell/git-call.ts";
import { classifyCommand } from "../../core/shell/safety.ts";
import { operandsOf, type SimpleCommand } from "../../core/shell/simple-command.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import { actBecause, actUnsure, type Builtin, NO_INTERVENTION } from "./builtin.ts";
import type { BuiltinOptions } from "./options.ts";
import { textsIn } from "./redact.ts";

type NetworkOptions = BuiltinOptions<"ask-network">;

const STEPS: readonly StepName[] = ["before_tool", "before_permission"];

export const askNetwork: Builtin<NetworkOptions> = {
  name: "ask-network",
  description: "has a person asked before a tool or a shell line reaches a host that is not listed",
  steps: STEPS,
  decide(options, subject) {
    const use = findNetworkUse(subject, options);
    if (use !== null)
      return actBecause(options.action, options.reason ?? `it uses the network: ${use}`);
    const hidden = findHidden(subject);
    if (hidden === null) return NO_INTERVENTION;
    const why = `it cannot be said whether it uses the network: ${hidden}`;
    return actUnsure(options.unsure, options.reason ?? why, subject);
  },
};

function findHidden(subject: StepSubject): string | null {
  const line = analyzeStepLine(subject);
  if (line === null) return null;
  if (line.problem !== null) return `the line cannot be read: ${line.problem}`;
  const [program] = line.unresolved;
  return program === undefined ? null : `what \`${program}\` runs is known only when it runs`;
}

/** What uses the network, null where nothing does or all hosts are known ones. */
function findNetworkUse(subject: StepSubject, options: NetworkOptions): string | null {
  const { kind, args, tool } = subject.envelope;
  if (kind === "fetch") {
    const named = textsIn(args ?? {}).flatMap(hostsIn);
    return areKnown(named, options) ? null : `\`${tool ?? kind}\` ${named.join(", ")}`.trim();
  }
  const line = analyzeStepLine(subject);
  if (line === null || line.problem !== null) return null;
  const using = line.commands.find((command) => reachesUnknown(command, options));
  return using === undefined ? null : `\`${using.text}\``;
}

const areKnown = (named: readonly string[], { hosts }: Pick<NetworkOptions, "hosts">): boolean =>
  named.length > 0 &&
  named.every((name) => hosts.some((glob) => matchGlob(glob, name, { style: "text" })));

function reachesUnknown(command: SimpleCommand, options: NetworkOptions): boolean {
  const use = networkUse(command);
  if (use === null || (use.isEveryday && options.everyday === "pass")) return false;
  return !areKnown(use.hosts, options);
}

interface NetworkUse {
  readonly hosts: readonly string[];
  readonly isEveryday: boolean;
}

function networkUse(command: SimpleCommand): NetworkUse | null {
  const [first, ...rest] = command.words;
  const name = first?.text ?? "";
  const args = rest.map(({ text }) => text);
  const named = args.flatMap(hostsIn);
  const git = readGitCall(command);
  if (git !== null)
    return gitUse(
      git.subcommand ?? "",
      git.args.map(({ text }) => text),
    );
  if (ADDRESSED.has(name)) return addressedUse(name, args, named);
  if (CLOUD.has(name)) return { hosts: named, isEveryday: isPlain(args) };
  const [verb = "", next = ""] = operandsOf(args);
  if (UPLOADS[name]?.test(`${verb} ${next}`) === true && !args.includes("--dry-run"))
    return { hosts: named, isEveryday: false };
  if (EVERYDAY.has(name) || VERBS[name]?.test(verb) === true)
    return { hosts: named, isEveryday: true };
  if (INTERPRETERS.test(name)) return codeUse(command, named);
  if (classifyCommand(command, AGENT_PROGRAMS) !== "network") return null;
  return { hosts: named, isEveryday: Object.hasOwn(VERBS, name) };
}

const GIT = /^(fetch|pull|push|clone|ls-remote|submodule|send-email|send-pack|request-pull)$/;

/** A remote that is named is one the project has; an address in the line is where somebody wants its work to go. */
function gitUse(subcommand: string, args: readonly string[]): NetworkUse | null {
  const hosts = args.flatMap(hostsIn);
  const isNewRemote = subcommand === "remote" && /^(add|set-url)$/.test(operandsOf(args)[0] ?? "");
  if (isNewRemote) return hosts.length === 0 ? null : { hosts, isEveryday: false };
  if (!GIT.test(subcommand)) return null;
  const sends = subcommand === "push" || subcommand.startsWith("send-");
  return { hosts, isEveryday: !(sends && hosts.length > 0) && subcommand !== "send-email" };
}

/** Their words are addresses, with or without a scheme. */
const ADDRESSED: ReadonlySet<string> = new Set(
  `curl wget http https xh aria2c lynx w3m ssh scp sftp ftp lftp rsync mosh ping dig nslookup host
   nc ncat netcat socat telnet whois traceroute tracepath mtr`.split(/\s+/),
);

const REMOTE = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)/;

function addressedUse(
  name: string,
  args: readonly string[],
  named: readonly string[],
): NetworkUse | null {
  if (isPlain(args)) return null;
  if (/^(scp|rsync)$/.test(name)) {
    const remote = operandsOf(args).flatMap((arg) => REMOTE.exec(arg)?.[1] ?? []);
    return remote.length + named.length === 0
      ? null
      : { hosts: [...named, ...remote], isEveryday: false };
  }
  const bare = named.length > 0 ? [] : operandsOf(args).flatMap(bareHosts);
  return { hosts: [...named, ...bare], isEveryday: false };
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
function hostsIn(text: string): string[] {
  const urls = text.match(/\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]+/gi) ?? [];
  const remote = /^[\w.-]+@([\w.-]+)(?::|$)/.exec(text)?.[1];
  const found = urls.flatMap((url) => URL.parse(url)?.hostname || []);
  return remote === undefined ? found : [...found, remote];
}

const CLOUD: ReadonlySet<string> = new Set(
  "aws gcloud gsutil az heroku fly flyctl vercel netlify wrangler firebase rclone s3cmd".split(" "),
);

/** What leaves the machine for good, by the words behind the program. */
const UPLOADS: Readonly<Record<string, RegExp>> = {
  npm: /^(publish|login|adduser|token)\b/,
  pnpm: /^publish\b/,
  yarn: /^(publish|npm publish)\b/,
  bun: /^publish\b/,
  cargo: /^(publish|login)\b/,
  gem: /^push\b/,
  poetry: /^publish\b/,
  uv: /^publish\b/,
  twine: /./,
  docker: /^(push|login|image push)\b/,
  podman: /^(push|login|image push)\b/,
  helm: /^push\b/,
  gh: /^(gist create|release (create|upload)|secret set|ssh-key add|codespace cp)\b/,
  glab: /^(snippet create|release (create|upload))\b/,
  openssl: /^s_client\b/,
};

const EVERYDAY: ReadonlySet<string> = new Set(
  `gh glab kubectl helm terraform apt apt-get dnf yum apk pacman brew npx bunx`.split(/\s+/),
);

/** `npm install` and its like, by their first word. */
const VERBS: Readonly<Record<string, RegExp>> = {
  npm: /^(i|install|ci|add|update|view|info|search|outdated|audit|exec|x|create|init)$/,
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
  /^(python[\d.]*|node|nodejs|deno|bun|ruby|perl|php|Rscript|pwsh|powershell|osascript)$/i;
const OPENS =
  /\b(fetch|urlopen|urlretrieve|requests|httpx|aiohttp|axios|https?\.(get|request|client)|socket|open-uri|URI|LWP|file_get_contents|curl|Invoke-WebRequest|iwr)\b/;

function codeUse(command: SimpleCommand, named: readonly string[]): NetworkUse | null {
  const bodies = command.redirections.flatMap((each) =>
    each.kind === "text" ? [each.body.text] : [],
  );
  const hosts = [...named, ...bodies.flatMap(hostsIn)];
  if (hosts.length === 0 || !OPENS.test(`${command.text}\n${bodies.join("\n")}`)) return null;
  return { hosts, isEveryday: false };
}
