// Hosts that a text names.
import type { ShellWord, SimpleCommand } from "../../../core/shell/simple-command.ts";

export interface NetworkUse {
  readonly hosts: readonly string[];
  readonly isEveryday: boolean;
}

/** Of addresses inside a text, and of `user@host:path`. */
export function hostsIn(text: string): string[] {
  const urls = text.match(/\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]+/gi) ?? [];
  const remote = /^[\w.-]+@([\w.-]+)(?::|$)/.exec(text)?.[1];
  const found = urls.flatMap((url) => URL.parse(url)?.hostname || []);
  return remote === undefined ? found : [...found, remote];
}

/** `localhost:8080/x`, a host that stands alone, and `:3000/x`, this machine for HTTPie. */
export function bareHosts(text: string): string[] {
  if (/^:\d{1,5}(?:\/|$)/.test(text)) return ["localhost"];
  const host = /^([a-z0-9][\w.-]*\.[a-z0-9-]+|localhost|\[[0-9a-f:]+\])(?::\d+)?(?:[/?#]|$)/i.exec(
    text,
  );
  return host?.[1] === undefined ? [] : [host[1].replace(/^\[|\]$/g, "")];
}

/** Of a word that is an address as a whole, or the value of an option, a setting or a package that is one. */
export const addressIn = (text: string): string[] => {
  const forge = FORGE.exec(text)?.[1];
  if (forge !== undefined) return [`${forge}.com`];
  return ADDRESS.test(text) ? hostsIn(text) : [];
};

const ADDRESS =
  /^(?:-{1,2}[\w.:-]+=|(?:[\w.:@/-]{1,80}[=@]){1,3}|[\w.[\],-]{1,80} ?@ ?)?["']?[a-z][a-z0-9+.-]{1,30}:\/\/\S+$/i;
/** A package by its place there: `github:user/repo`. */
const FORGE = /^(?:@?[\w./-]{1,80}@)?(github|gitlab|bitbucket):\w[\w.-]*\/\w\S*$/;

const REMOTE = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)/;

/** `host:path`, as ssh and its like have it. */
export const remoteHosts = (text: string): string[] => {
  const host = REMOTE.exec(text)?.[1];
  return host === undefined ? [] : [host];
};

/** `localhost:$PORT` is this machine, if the port comes from the environment; the line may put a host behind it. */
export function withPorts(
  command: SimpleCommand,
  commands: readonly SimpleCommand[],
): SimpleCommand {
  if (!command.words.some(({ text, kind }) => kind === "open" && OPEN_PORT.test(text)))
    return command;
  const isGiven = (name: string): boolean =>
    commands.some(
      ({ words, assignments }) =>
        assignments.some((each) => each.name === name) || words.some(({ text }) => text === name),
    );
  const words = command.words.map((word): ShellWord => {
    const [whole = "", place = "", bare, braced] = OPEN_PORT.exec(word.text) ?? [];
    const isKnown = word.kind === "open" && whole !== "" && !isGiven(bare ?? braced ?? "");
    return isKnown ? { ...word, text: word.text.replace(whole, place) } : word;
  });
  return { ...command, words };
}

const OPEN_PORT =
  /^((?:\w{2,5}:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)):\$(?:([A-Z_]*PORT)|\{([A-Z_]*PORT)(?::-\d+)?\})(?=[/?#]|$)/;
