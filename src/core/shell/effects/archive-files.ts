// Files of programs that pack and unpack.
import { joinFolder } from "../line-state.ts";
import { HERE, type ShellWord } from "../simple-command.ts";
import { type FileUse, possibleUses } from "./file-effect.ts";
import { LISTED, rowsOf, type UsesOf } from "./operands.ts";
import { readOptions } from "./read-options.ts";

type Words = readonly ShellWord[];

/** What comes out of an archive is named inside of it. */
const unpackedInto = (word: ShellWord): FileUse => ({
  ...{ access: "write", word, isRecursive: true, isPossible: true, isUnpacked: true },
});

/** The first word may be its options without a dash: `tar xzf a.tar`. */
function tarUses(words: Words, places: readonly (string | null)[] = ["."]): FileUse[] {
  const [first, ...rest] = words;
  const isBundle =
    first !== undefined && /^[A-Za-z]+$/.test(first.text) && first.kind === "literal";
  const given = isBundle ? [{ ...first, text: `-${first.text}` }, ...rest] : words;
  const { options, values, operands } = readOptions(given, {
    valued: "fCTXgIbHKNV",
    valuedLong: [
      "file",
      "directory",
      "files-from",
      "exclude-from",
      "exclude",
      "add-file",
      "use-compress-program",
      "transform",
      "owner",
      "group",
      "mode",
    ],
  });
  const value = (pattern: RegExp): ShellWord[] =>
    values.flatMap(({ option, word }) => (pattern.test(option) ? [word] : []));
  const archives = value(/^(-f|--fi)/);
  const folders = value(/^(-C|--di)/);
  const extracts = options.some((each) => /^(-x|--extract|--get)$/.test(each));
  // `-P` leaves the names as they are: they may begin at the root.
  const isAnywhere = options.some((each) => /^(-P|--absolute-names)$/.test(each));
  const lists = options.some((each) => /^(-t|--list)$/.test(each));
  // A list of names is read, and what it names is known only when it runs.
  const nameLists = value(/^(-T|--files-from)/);
  const named = [
    ...value(/^(-X|--exclude-from|--add-file)/),
    ...nameLists,
    ...(nameLists.length > 0 ? [LISTED] : []),
  ].map((word): FileUse => ({ access: "read", word }));
  if (lists || extracts)
    return [
      ...named,
      ...archives.map((word): FileUse => ({ access: "read", word })),
      ...(extracts ? [...folders, ...(folders.length === 0 ? [HERE] : [])] : []).map(unpackedInto),
      ...(extracts && isAnywhere ? [{ access: "write", word: LISTED } as const] : []),
    ];
  const deletes = options.some((each) => each.length > 5 && "--remove-files".startsWith(each));
  // `-C dist .` packs what is in `dist`; what else is said of folders counts as packed itself.
  const [folder, another] = folders;
  const [packed] = operands;
  const isEntered =
    folder?.kind === "literal" &&
    another === undefined &&
    packed !== undefined &&
    words.includes(folder) &&
    words.indexOf(folder) < words.indexOf(packed) &&
    !operands.some(({ text }) => text.includes(".."));
  const at = isEntered ? { folders: places.map((from) => joinFolder(from, folder.text)) } : {};
  return [
    ...named,
    ...archives.map((word): FileUse => ({ access: "write", word })),
    ...[...operands, ...(isEntered ? [] : folders)].map(
      (word): FileUse => ({ access: "read", word, isRecursive: true, ...at }),
    ),
    ...(deletes ? [...operands, ...(nameLists.length > 0 ? [LISTED] : [])] : []).map(
      (word): FileUse => ({ access: "delete", word, isRecursive: true, ...at }),
    ),
  ];
}

/** The first is the archive, the rest goes into it. */
function zipUses(words: Words): FileUse[] {
  const { operands, options } = readOptions(words, { valued: "bnPtx", valuedLong: ["exclude"] });
  const [archive, ...rest] = operands;
  const deletes = options.includes("-m") || options.includes("--move");
  const packed = [...rest, ...(options.includes("-@") ? [LISTED] : [])];
  return [
    ...(archive === undefined ? [] : [{ access: "write", word: archive } as const]),
    ...packed.map((word): FileUse => ({ access: "read", word, isRecursive: true })),
    ...(deletes
      ? packed.map((word): FileUse => ({ access: "delete", word, isRecursive: true }))
      : []),
  ];
}

function unzipUses(words: Words): FileUse[] {
  const { operands, values, options } = readOptions(words, { valued: "dxP" });
  const into = values.find(({ option }) => option === "-d")?.word ?? HERE;
  const archive = operands.slice(0, 1).map((word): FileUse => ({ access: "read", word }));
  const isLooking = options.some((each) => /^-[lptvzZ]$/.test(each));
  return isLooking ? archive : [...archive, unpackedInto(into)];
}

/** With `-i` or `-p` it unpacks into the folder of `-D`, or into the one that it is given. */
function cpioUses(words: Words): FileUse[] {
  const { operands, values, options } = readOptions(words, { valued: "DCEFHIMOR" });
  // What goes in is named by what it is told.
  const packed = options.some((each) => /^-[op]$|^--(create|pass-through)$/.test(each));
  const read: FileUse[] = packed ? [{ access: "read", word: LISTED }] : [];
  if (!options.some((each) => /^-[ip]$|^--(extract|pass-through)$/.test(each))) return read;
  const folders = values.flatMap(({ option, word }) =>
    /^(-D|--directory)$/.test(option) ? [word] : [],
  );
  const into = [...folders, ...operands];
  const unpacked = (into.length === 0 ? [HERE] : into).map(unpackedInto);
  return [...read, ...unpacked];
}

/** `7z x -oFOLDER a`, `ar x --output FOLDER a`, `pax -r -f a`: into the folder that is named, or into this one. */
function otherUnpackUses(words: Words): FileUse[] {
  const unpacks = words.some(
    ({ text }, at) => /^-\w*r/.test(text) || (at === 0 && /^-?[xe]/.test(text)),
  );
  const attached = words.flatMap(({ text, kind }) => {
    const folder = /^(?:-o|--output=)(.+)$/s.exec(text)?.[1];
    return folder === undefined ? [] : [{ text: folder, kind }];
  });
  const into = attached.length > 0 ? attached : [HERE];
  const [, , ...packed] = words.filter(({ text }) => !text.startsWith("-"));
  const moved = words.some(({ text }) => text === "-sdel") ? packed : [];
  const packs = /^[au]$/.test(words[0]?.text ?? "");
  return [
    ...possibleUses(words),
    ...(unpacks ? into : []).map(unpackedInto),
    ...(packs ? (packed.length > 0 ? packed : [HERE]) : []).map(
      (word): FileUse => ({ access: "read", word, isRecursive: true }),
    ),
    ...moved.map((word): FileUse => ({ access: "delete", word, isRecursive: true })),
  ];
}

/** `cmake -E tar xf a.tar`. */
export function cmakeUnpackUses(words: Words): FileUse[] {
  const at = words.findIndex(({ text }) => text === "tar");
  const [letters, archive] = at === -1 ? [] : words.slice(at + 1);
  const isUnpacking = /^-?[a-z]*x/.test(letters?.text ?? "") && archive !== undefined;
  // `-E copy_directory evil .` puts what is in the one beside what is in the other.
  const [target] = words.some(({ text }) => /^copy_directory/.test(text)) ? words.slice(-1) : [];
  return [
    ...(isUnpacking ? [unpackedInto(HERE)] : []),
    ...(target === undefined
      ? []
      : [{ access: "write", word: target, isRecursive: true } as const]),
  ];
}

/** `sqlite3 a.db -Ac folder`: it packs and unpacks too. */
function sqliteUses(words: Words): FileUse[] {
  const at = words.findIndex(({ text }) => /^--?A/.test(text));
  if (at === -1) return possibleUses(words);
  const isUnpacking = /x/.test(words[at]?.text ?? "");
  const packed = words.slice(at + 1).filter(({ text }) => !text.startsWith("-"));
  return [
    ...possibleUses(words.slice(0, at)),
    ...(isUnpacking ? [unpackedInto(HERE)] : []),
    ...packed.map((word): FileUse => ({ access: "read", word, isRecursive: true })),
  ];
}

const TELLS = /^(-n|--no|--simulate|--dry-run|-h|--help|-V|--version)$/;
const PLACES: Readonly<Record<string, RegExp>> = {
  chezmoi: /^(apply|update|init)$/,
  yadm: /^(clone|pull|checkout|reset|restore|stash|merge|rebase|bootstrap|alt)$/,
  mackup: /^(restore|uninstall|link)$/,
  "home-manager": /^switch$/,
};

/** They put files of a collection into the home, or into the folder above: which, the collection says. */
export const homeUses =
  (program: string) =>
  (words: Words): FileUse[] => {
    const verbs = PLACES[program];
    const places = verbs === undefined || words.some(({ text }) => verbs.test(text));
    const tells = words.some(({ text }) => TELLS.test(text));
    return [
      ...possibleUses(words),
      ...(places && !tells ? [{ access: "write", word: LISTED } as const] : []),
    ];
  };

const DRY = /^(-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/;

/** `rsync --delete`: whatever lies in the target may go, and `from/` puts what is in it beside what is there. */
export function mirrorUses(words: Words): FileUse[] {
  const [target] = words.slice(-1);
  const deletes = words.some(({ text }) => /^--del(ete)?(-\w+)?$/.test(text));
  const isInside =
    deletes || words.some(({ text }, at) => /\/$/.test(text) && at < words.length - 1);
  const moved = words.some(({ text }) => text === "--remove-source-files")
    ? words.slice(0, -1)
    : [];
  const isHere = target !== undefined && !/^[\w.@-]+:/.test(target.text);
  const isDry = words.some(({ text }) => DRY.test(text));
  return [
    ...(isInside && target !== undefined
      ? [{ access: "write", word: target, isRecursive: true, isPossible: true } as const]
      : []),
    ...(deletes && isHere && !isDry
      ? [{ access: "delete", word: target, isRecursive: true } as const]
      : []),
    ...moved.map((word) => ({ access: "delete", word }) as const),
  ];
}

export const ARCHIVE_FILES: readonly (readonly [string, UsesOf])[] = [
  ...rowsOf("tar gtar bsdtar", tarUses),
  ["zip", zipUses],
  ["unzip", unzipUses],
  ["cpio", cpioUses],
  ...rowsOf("7z 7za 7zz ar pax unrar jar", otherUnpackUses),
  ["sqlite3", sqliteUses],
];
