// Second names that a line gives to files before it uses them: links, and folders that it puts into a container.
import { basename, dirname } from "node:path";
import type { LineAnalysis, ShellWord, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { absolutePath, type PathContext } from "../../match/paths.ts";
import { codeOf } from "./code-text.ts";
import { readHome } from "./place-of-path.ts";

interface MadeLink {
  /** Absolute, both of them. */
  readonly name: string;
  readonly target: string;
}

export const linksMadeBy = ({ commands }: LineAnalysis, context: PathContext): MadeLink[] =>
  commands.flatMap((command) => {
    const links = [...linksOfProgram(command), ...linksInCode(command)];
    const mounts = mountsOf(command);
    if (links.length + mounts.length === 0) return [];
    return command.folders.flatMap((folder) => {
      const place = { ...context, folder: absolutePath(folder ?? ".", context) };
      return [
        ...links.flatMap(({ to, as }) => resolveLink(to, as, place)),
        ...mounts.flatMap(({ to, as }) => resolveMount(to, as, place)),
      ];
    });
  });

/**
 * `ln -s ~/.config c; echo x > c/file`: what lies behind a path when such a link is followed, at the path itself or at a
 * folder that it is in.
 */
export function followMade(links: readonly MadeLink[]): (path: string) => string[] {
  const named = Map.groupBy(links, ({ name }) => name);
  const lengths = new Set(links.map(({ name }) => name.length));
  return (path) => {
    const found: string[] = [];
    for (let end = links.length && path.length; end > 0; end = path.lastIndexOf("/", end - 1))
      for (const { target } of lengths.has(end) ? (named.get(path.slice(0, end)) ?? []) : [])
        found.push(target + path.slice(end));
    return found;
  };
}

interface LinkWords {
  readonly to: ShellWord;
  readonly as: ShellWord;
}

const COPIES_AS_LINK = /^(-[a-zA-Z]*[sl][a-zA-Z]*|--symbolic-link|--link)$/;
const TRAILING_SLASHES = /(?<!\/)\/+$/;

/** `ln -s target name`, `ln -s target… folder`, `ln -t folder target…`, `cp -s target name`. */
function linksOfProgram({ words: [program, ...words] }: SimpleCommand): LinkWords[] {
  const isCopy = program?.text === "cp" && words.some(({ text }) => COPIES_AS_LINK.test(text));
  if (program?.text !== "ln" && !isCopy) return [];
  const named = words.filter(({ text }) => !text.startsWith("-"));
  const targets = named.length > 1 ? named.slice(0, -1) : named;
  const last = named.length > 1 ? named.at(-1) : undefined;
  return targets.flatMap((to) => {
    const own = { ...to, text: basename(to.text) };
    if (last === undefined) return [{ to, as: own }];
    const inside = { ...last, text: `${last.text.replace(TRAILING_SLASHES, "")}/${own.text}` };
    return [
      { to, as: last },
      { to, as: inside },
    ];
  });
}

const LINK_CALL =
  /\b(?:sym)?link(?:Sync|_to)?\s?\(\s?["'`]([^"'`\n]{1,500})["'`],\s?["'`]([^"'`\n]{1,500})["'`]/g;

const literal = (text: string): ShellWord => ({ text, kind: "literal" });

/** `os.symlink("a", "b")` in the code of an interpreter. */
const linksInCode = (command: SimpleCommand): LinkWords[] =>
  [...(codeOf(command) ?? "").matchAll(LINK_CALL)].map(([, to = "", as = ""]) => ({
    to: literal(to),
    as: literal(as),
  }));

function resolveLink(to: ShellWord, as: ShellWord, place: PathContext): MadeLink[] {
  const leads = readHome({ word: to }, place);
  const named = readHome({ word: as }, place);
  if (leads === null || named === null) return [];
  const name = absolutePath(named, place);
  // A relative target counts from the link's folder; `$PWD` was put in as the folder that the line is in.
  return [dirname(name), place.folder].map((from) => ({
    name,
    target: absolutePath(leads, { ...place, folder: from }),
  }));
}

const CONTAINERS = /^(docker|podman|nerdctl)$/;
const MOUNT = /^(?:-v|--volume)=?(.*)$/;
const HOST = /(?:^|,)(?:source|src)=([^,]+)/;
const INSIDE = /(?:^|,)(?:target|dst|destination)=([^,]+)/;
const BIND = /^--(?:ro-|dev-)?bind(?:-try)?$/;

/** `docker run -v "$PWD:/w" alpine cat /w/file`, `bwrap --bind . /w cat /w/file`. */
function mountsOf({ words: [program, ...words] }: SimpleCommand): LinkWords[] {
  const isContainer = CONTAINERS.test(program?.text ?? "");
  if (!isContainer && program?.text !== "bwrap") return [];
  return words.flatMap(({ text }, index) => {
    const next = words[index + 1];
    if (!isContainer) {
      const as = words[index + 2];
      return BIND.test(text) && next !== undefined && as !== undefined ? [{ to: next, as }] : [];
    }
    const attached = MOUNT.exec(text)?.[1];
    const value = attached === "" ? (next?.text ?? "") : (attached ?? text);
    const [from = "", to = ""] =
      attached === undefined
        ? [HOST.exec(value)?.[1], INSIDE.exec(value)?.[1]]
        : value.split(":", 2);
    // A name without a slash is a volume of its own.
    return /^(?:[./~$`]|\$\()/.test(from)
      ? [{ to: { text: from, kind: "open" }, as: literal(to) }]
      : [];
  });
}

const MAX_MOUNT = 4_096;

function resolveMount(to: ShellWord, as: ShellWord, place: PathContext): MadeLink[] {
  const from = to.text.replace(/^`pwd`(?=\/|$)/, ".");
  const leads = readHome({ word: { text: from, kind: "open" } }, place);
  const isPlain = /^\/./.test(as.text) && from.length + as.text.length < MAX_MOUNT;
  if (leads === null || !isPlain) return [];
  return [{ name: as.text.replace(/(.)\/$/, "$1"), target: absolutePath(leads, place) }];
}
