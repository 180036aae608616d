import { matchGlob } from "../match/glob.ts";
import { classifyCommand } from "../shell/classify-command.ts";
import { readGitCall } from "../shell/git-call.ts";
import type { SimpleCommand } from "../shell/line-analysis.ts";
import { lineOf } from "../shell/subject-line.ts";
import type { StepSubject } from "../subject.ts";
import { textsIn } from "./map-texts.ts";

/** What uses the network, null where nothing does or all hosts are known ones. */
export function findNetworkUse(subject: StepSubject, hosts: readonly string[]): string | null {
  const { kind, args, tool } = subject.envelope;
  if (kind === "fetch") {
    const named = textsIn(args ?? {}).flatMap(hostsIn);
    return areKnown(named, hosts) ? null : `\`${tool ?? kind}\` ${named.join(", ")}`.trim();
  }
  const line = lineOf(subject);
  if (line === null) return null;
  if (line.problem !== null) return `the line cannot be read: ${line.problem}`;
  const using = line.commands.find(
    (command) =>
      usesNetwork(command) &&
      !areKnown(
        command.words.flatMap(({ text }) => hostsIn(text)),
        hosts,
      ),
  );
  return using === undefined ? null : `\`${using.text}\``;
}

const areKnown = (named: readonly string[], hosts: readonly string[]): boolean =>
  named.length > 0 &&
  named.every((name) => hosts.some((glob) => matchGlob(glob, name, { style: "text" })));

/** Of addresses inside a text, and of `user@host:path`. */
function hostsIn(text: string): string[] {
  const urls = text.match(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi) ?? [];
  const remote = /^[\w.-]+@([\w.-]+)(?::|$)/.exec(text)?.[1];
  const found = urls.flatMap((url) => URL.parse(url)?.hostname ?? []);
  return remote === undefined ? found : [...found, remote];
}

const PROGRAMS: ReadonlySet<string> = new Set(
  `curl wget ssh scp sftp ftp rsync mosh http https xh aria2c gh glab aws gcloud az kubectl helm apt
   apt-get dnf yum apk pacman brew npx bunx twine terraform heroku fly flyctl vercel netlify wrangler
   ping dig nslookup host nc ncat netcat socat telnet`.split(/\s+/),
);

const GIT = /^(fetch|pull|push|clone|ls-remote|submodule|send-email)$/;

/** `npm install` and its like, by their first word. */
const VERBS: Readonly<Record<string, RegExp>> = {
  npm: /^(i|install|ci|add|update|publish|view|info|search|outdated|audit|exec|x|create|init|login)$/,
  pnpm: /^(i|install|add|update|publish|view|outdated|audit|dlx|create)$/,
  yarn: /^(|install|add|up|upgrade|publish|dlx|create|npm)$/,
  bun: /^(i|install|add|update|publish|x|create)$/,
  pip: /^(install|download|index|search|wheel)$/,
  pip3: /^(install|download|index|search|wheel)$/,
  uv: /^(pip|add|sync|lock|tool|publish)$/,
  poetry: /^(install|add|update|publish|lock)$/,
  cargo: /^(install|add|update|publish|search|fetch|build|run|test|check)$/,
  go: /^(get|install|mod)$/,
  gem: /^(install|update|push|fetch)$/,
  bundle: /^(install|update|add)$/,
  docker: /^(pull|push|login|build|run|search|compose)$/,
  podman: /^(pull|push|login|build|run|search)$/,
};

function usesNetwork(command: SimpleCommand): boolean {
  const name = command.words[0]?.text ?? "";
  const subcommand = readGitCall(command)?.subcommand;
  if (subcommand !== undefined && subcommand !== null) return GIT.test(subcommand);
  const verb = command.words.slice(1).find(({ text }) => !text.startsWith("-"))?.text ?? "";
  return (
    PROGRAMS.has(name) ||
    (Object.hasOwn(VERBS, name) && VERBS[name]?.test(verb) === true) ||
    classifyCommand(command) === "network"
  );
}
