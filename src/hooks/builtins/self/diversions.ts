// Ways around the hooks that touch none of our files: an agent's own command that changes its settings, a variable that
// says where settings lie, a start-up file with such a variable, the end of the processes that answer.
import { basename, join } from "node:path";
import { AGENTS, HOME_VARIABLES } from "../../../agents/roster.ts";
import { MOVING_VARIABLES } from "../../../agents/steps/moving-variables.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { codeOf } from "../files/code-text.ts";

/** Why somebody should be asked first; null where nothing of that kind is in the line. */
export function findDiversion(line: LineAnalysis): string | null {
  const given = findGiven(line);
  for (const command of line.commands) {
    const found = findAgentCall(command, given) ?? findSetting(command) ?? findExchange(command);
    if (found !== null) return found;
  }
  return findEnding(line);
}

// Agents.

const PROGRAMS = new Map(
  AGENTS.flatMap((agent) => [agent.name, ...agent.aliases].map((name) => [name, agent] as const)),
);

function findAgentCall(command: SimpleCommand, given: string | null): string | null {
  const [first, ...rest] = command.words;
  const agent = PROGRAMS.get(basename(first?.text ?? ""));
  if (agent === undefined) return null;
  // The words of a prompt are no options.
  const words = rest
    .map(({ text }) => text)
    .filter((text) => !/\s/.test(text) || /[{=]/.test(text));
  // Options may stand before the verb, with values.
  const starts = words[0]?.startsWith("-") === true ? words.slice(0, MAX_OPTIONS).keys() : [0];
  if ([...starts].some((at) => agent.settingsCalls?.test(words.slice(at).join(" ")) === true))
    return `\`${command.text}\` changes which settings and hooks \`${agent.name}\` has`;
  const variable = findPlace(command) ?? given;
  return variable === null
    ? null
    : `with \`${variable}\` changed, \`${agent.name}\` finds other settings and hooks`;
}

const MAX_OPTIONS = 20;

const findPlace = ({ assignments }: SimpleCommand): string | null =>
  assignments.find(
    ({ name, value }) =>
      name === "HOME" || PLACES.test(name) || (name === "NODE_OPTIONS" && LOADS.test(value.text)),
  )?.name ?? null;

/** Code of somebody else's in the process of the agent. */
const LOADS =
  /(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader|--env-file\S*)(?:[=\s]|$)/;

/** What the line sets, or takes away, for all that comes behind. */
function findGiven({ commands }: LineAnalysis): string | null {
  for (const command of commands) {
    const unset = /^env\s(?:[^|;&]{0,200}\s)?-u\s?(HOME|XDG_\w+|ADJ_\w+)/.exec(command.text)?.[1];
    const found = unset ?? (isSetting(command) ? findPlace(command) : null);
    if (found !== null) return found;
  }
  return null;
}

/** `export NAME=value` and a plain `NAME=value` count for what comes behind. */
const isSetting = ({ words }: SimpleCommand): boolean =>
  words.length === 0 || /^(?:export|declare|typeset|readonly)$/.test(words[0]?.text ?? "");

// Variables that say where this program and the agents find their files.

const NAMES = [
  ...["ADJ_CONFIG_DIR", "ADJ_STATE_DIR", "ADJ_DATA_DIR", "ADJ_RESIDENT"],
  ...["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"],
  ...AGENTS.flatMap(({ settingsVariables = [] }) => settingsVariables),
  ...AGENTS.flatMap(({ hooksOffVariables }) => hooksOffVariables?.names ?? []),
  ...HOME_VARIABLES,
].join("|");
const PLACES = new RegExp(`^(?:${NAMES})$`);
const NAMED_PLACE = new RegExp(`\\b(?:${NAMES})\\b|\\balias\\s+adj\\b|\\badj\\s?\\(\\)`);

/** Programs that give a variable to whatever is started later. */
const SETTERS = /^(?:systemctl|launchctl|tmux|setx|dbus-update-activation-environment)$/;

const findSetting = ({ words, text }: SimpleCommand): string | null =>
  SETTERS.test(basename(words[0]?.text ?? "")) && /env|setx/i.test(text) && NAMED_PLACE.test(text)
    ? `\`${text}\` has agents look for their hooks elsewhere`
    : null;

/** Whether a text would, in a start-up file, send the hooks elsewhere. */
export const sendsElsewhere = (text: string): boolean => NAMED_PLACE.test(text);

/** Whether a text would, in a file whose variables an agent takes, move its hooks or keep it from calling them. */
export const setsForAgents = (text: string): boolean =>
  sendsElsewhere(text) || MOVED_IN_FILE.test(text);

const MOVED_IN_FILE = new RegExp(`(?<![\\w$])${MOVING_VARIABLES.source}\\s{0,20}[=:]`, "m");

/** Files of any folder of a project from which an agent takes variables. */
export const VARIABLE_FILES: readonly string[] = [
  ...new Set(AGENTS.flatMap(({ variableFiles = [] }) => variableFiles)),
];

/** Files whose variables an agent that is started next has. */
export function startUpFiles(home: string, root: string): string[] {
  const shells =
    ".bashrc .bash_profile .bash_login .profile .zshrc .zshenv .zprofile .zlogin .kshrc .pam_environment .env .config/fish .config/environment.d .xprofile .xsessionrc .xinitrc .direnvrc .config/direnv .config/mise .tmux.conf .config/tmux .config/Code/User/settings.json";
  const projects = ".envrc .env.local .mise.toml mise.toml .vscode/settings.json .devcontainer";
  return [
    ...shells.split(" ").map((name) => join(home, name)),
    ...[...VARIABLE_FILES, ...projects.split(" ")].flatMap((name) => [
      join(root, name),
      join(home, name),
    ]),
    ...["/etc/environment", "/etc/profile", "/etc/profile.d", "/etc/zsh", "/etc/bash.bashrc"],
  ];
}

// The program itself, as a package manager keeps it for all projects.

const MANAGERS = /^(?:npm|pnpm|yarn|bun|volta)$/;
const EXCHANGES =
  /^(?:uninstall|un|unlink|remove|rm|r|install|i|in|add|update|up|upgrade|link|ln|downgrade)$/;
const FOR_ALL = /^(?:-[a-zA-Z]{0,9}g[a-zA-Z]{0,9}|--global|--location=global|global)$/;

function findExchange({ words: [program, ...rest], text }: SimpleCommand): string | null {
  const name = basename(program?.text ?? "");
  const words = rest.map((word) => word.text);
  const isMeant =
    MANAGERS.test(name) &&
    words.some((word) => /^adjutant(?:@|$)/.test(word)) &&
    words.some((word) => EXCHANGES.test(word)) &&
    (name === "volta" || words.some((word) => FOR_ALL.test(word)));
  return isMeant ? `\`${text}\` takes away or exchanges the program that answers the hooks` : null;
}

// Processes.

const ENDS = /^(?:kill|pkill|killall|skill|xkill|taskkill|fuser)$/;
const FINDS = /^(?:pgrep|pidof|ps|grep|egrep|rg|lsof|awk|cat|jq|systemctl)$/;
const OURS = /(?:^|[^\w.-])\[?a\]?dj(?:utant|-resident|-hook|\.cjs)?(?![\w.])/;

const ENDS_IN_CODE = /\b(?:pkill|killall)\b[^\n]{0,80}\badj/;

/** `pkill -f adjutant`, `kill $(pgrep -f 'adj resident')`, `ps | grep adjutant | … | xargs kill`. */
function findEnding({ commands }: LineAnalysis): string | null {
  const nameOf = ({ words }: SimpleCommand): string => basename(words[0]?.text ?? "");
  const isNamed = ({ words }: SimpleCommand): boolean =>
    words.slice(1).some(({ text }) => OURS.test(text));
  const stop = commands.find(
    (command) =>
      nameOf(command) === "systemctl" &&
      command.words.some(({ text }) => /^(?:stop|kill|disable|mask)$/.test(text)) &&
      isNamed(command),
  );
  const inCode = commands.find((command) => ENDS_IN_CODE.test(codeOf(command) ?? ""));
  const end = stop ?? commands.find((command) => ENDS.test(nameOf(command))) ?? inCode;
  if (end === undefined) return null;
  const isOurs =
    end === inCode ||
    isNamed(end) ||
    commands.some((each) => FINDS.test(nameOf(each)) && isNamed(each));
  return isOurs ? `\`${end.text}\` would end what answers the hooks` : null;
}
