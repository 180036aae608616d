// Files of programs that change, convert or fetch.
import type { ShellWord } from "../simple-command.ts";
import { ARCHIVE_FILES } from "./archive-files.ts";
import type { FileUse } from "./file-effect.ts";
import { type FileRule, LISTED, rowsOf, type UsesOf, usesBy } from "./operands.ts";
import { readOptions } from "./read-options.ts";
import { sedUses } from "./sed-files.ts";

type Words = readonly ShellWord[];

const rule = (operands: FileRule["operands"], more: Omit<FileRule, "operands"> = {}): UsesOf =>
  usesBy({ operands, ...more });

/** Names that stand inside of another file. */
const UNKNOWN: ShellWord = { text: "{}", kind: "open" };
const inside = ({ text, kind }: ShellWord, start: number): ShellWord => ({
  kind,
  text: text.slice(start),
});

function ddUses(words: Words): FileUse[] {
  return words.flatMap((word): FileUse[] => {
    if (word.text.startsWith("if=")) return [{ access: "read", word: inside(word, 3) }];
    return word.text.startsWith("of=") ? [{ access: "write", word: inside(word, 3) }] : [];
  });
}

/** What gawk tells of a program, in the file that stands in the same word. */
const GAWK_WRITES = /^(?:-[dop]|--(?:dump-variables|pretty-print|profile)=)(.+)$/s;

/** What a program in another language opens is not read here. */
function awkUses(words: Words): FileUse[] {
  const { operands, values } = readOptions(words, {
    valued: "fvFiEl",
    valuedLong: ["file", "assign", "field-separator", "include", "exec"],
  });
  const programs = values.filter(({ option }) => /^(-f|-E|--file|--exec)$/.test(option));
  const files = programs.length > 0 ? operands : operands.slice(1);
  return [
    ...programs.map(({ word }): FileUse => ({ access: "execute", word })),
    ...files
      .filter(({ text }) => !/^[A-Za-z_]\w*=/.test(text))
      .map((word): FileUse => ({ access: "read", word })),
    ...values.flatMap(({ option, word }): FileUse[] =>
      option === "-i" ? [{ access: "write", word: files[0] ?? word }] : [],
    ),
    ...words.flatMap(({ text, kind }): FileUse[] => {
      const file = GAWK_WRITES.exec(text)?.[1];
      return file === undefined ? [] : [{ access: "write", word: { text: file, kind } }];
    }),
  ];
}

const CURL = {
  valued: "oTKDcbEuHAXdFmreUxywzCtQPY",
  valuedLong: [
    "output",
    "upload-file",
    "config",
    "dump-header",
    "cookie-jar",
    "cookie",
    "cert",
    "key",
    "cacert",
    "user",
    "header",
    "user-agent",
    "request",
    "data",
    "data-raw",
    "data-binary",
    "data-urlencode",
    "form",
    "max-time",
    "connect-timeout",
    "retry",
    "proxy",
    "write-out",
    "url",
    "output-dir",
    "netrc-file",
    "json",
    "trace",
    "trace-ascii",
    "unix-socket",
    "resolve",
    "referer",
    "variable",
    "etag-save",
    "etag-compare",
    "stderr",
    "libcurl",
    "hsts",
    "alt-svc",
  ],
};
const CURL_WRITES =
  /^(-D|-c|--dump-header|--cookie-jar|--output-dir|--trace|--trace-ascii|--etag-save|--stderr|--libcurl|--hsts|--alt-svc)$/;
const CURL_READS =
  /^(-T|-K|-E|-b|--upload-file|--config|--cert|--key|--cookie|--netrc-file|--etag-compare)$/;
const CURL_SENDS = /^(-d|-F|--data.*|--form|--json|-H|--header|--variable)$/;

function curlUses(words: Words): FileUse[] {
  const { values, options, operands } = readOptions(words, CURL);
  const into = values.find(({ option }) => option === "--output-dir")?.word;
  const named = values.flatMap(({ option, word }): FileUse[] => {
    if (/^(-o|--output)$/.test(option)) return [{ access: "write", word: below(into, word) }];
    if (CURL_WRITES.test(option)) return [{ access: "write", word }];
    // What a config names is known only when it is read; one on the standard input may name anything.
    if (/^(-K|--config)$/.test(option) && /^(-$|<\(|\/dev\/)/.test(word.text))
      return (["read", "write"] as const).map((access) => ({ access, word: LISTED }));
    const written = /^(-w|--write-out)$/.test(option)
      ? /%output\{([^}]{1,500})\}/.exec(word.text)
      : null;
    if (/^(-w|--write-out)$/.test(option) && word.text.startsWith("@"))
      return [{ access: "read", word: inside(word, 1) }];
    if (written !== null) return [{ access: "write", word: { ...word, text: written[1] ?? "" } }];
    if (CURL_READS.test(option)) return [{ access: "read", word }];
    // `@file`, `name=@file`, `name=<file`.
    const at = CURL_SENDS.test(option) ? word.text.slice(0, 4_096).search(/[@<]/) : -1;
    return at === -1 ? [] : [{ access: "read", word: inside(word, at + 1) }];
  });
  const local = operands.flatMap((word): FileUse[] => {
    if (!/^file:\/\//i.test(word.text)) return [];
    // `[a-c]` and `{x,y}` in an address are curl's own, and stand for many.
    const isMany = /[[{]/.test(word.text.replaceAll(/\$\{\w+\}/g, ""));
    // Behind `file://` may stand this machine's own name.
    const host = word.text.slice(7).search(/[/$]/);
    const isUnclear = isMany || host === -1;
    return [{ access: "read", word: isUnclear ? LISTED : decodeUrl(inside(word, 7 + host)) }];
  });
  const saves = options.some((each) => /^(-O|-J|--remote-name|--remote-name-all)$/.test(each));
  const remote = operands.map(
    ({ text, kind }): FileUse => ({
      access: "write",
      word: below(into, { kind, text: lastPart(text) }),
    }),
  );
  return [...named, ...local, ...(saves ? remote : [])];
}

function below(folder: ShellWord | undefined, { text, kind }: ShellWord): ShellWord {
  if (folder === undefined || text.startsWith("/")) return { text, kind };
  return { text: `${folder.text}/${text}`, kind: folder.kind === "literal" ? kind : folder.kind };
}

/** `%2e` is a dot. */
const decodeUrl = ({ text, kind }: ShellWord): ShellWord => ({
  kind,
  text: text.replace(/%([0-7][0-9a-f])/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  ),
});

const lastPart = (url: string): string => url.split(/[?#]/, 1)[0]?.split("/").pop() || "index.html";

function wgetUses(words: Words): FileUse[] {
  const { values, operands } = readOptions(words, {
    valued: "OPoaieUtTwQlAR",
    valuedLong: [
      "output-document",
      "directory-prefix",
      "output-file",
      "append-output",
      "input-file",
      "post-file",
      "body-file",
      "load-cookies",
      "save-cookies",
      "header",
      "user-agent",
      "tries",
      "timeout",
      "config",
    ],
  });
  const named = values.flatMap(({ option, word }): FileUse[] => {
    if (/^(-O|-P|-o|-a|--output-|--directory-p|--append-o|--save-c)/.test(option))
      return [{ access: "write", word }];
    return /^(-i|--input-f|--post-f|--body-f|--load-c|--config)/.test(option)
      ? [{ access: "read", word }]
      : [];
  });
  const isNamed = values.some(({ option }) => /^(-O|--output-d)/.test(option));
  if (isNamed) return named;
  const into = values.find(({ option }) => /^(-P|--directory-p)/.test(option))?.word;
  const folder = into === undefined ? "" : `${into.text}/`;
  return [
    ...named,
    ...operands.map(
      (word): FileUse => ({
        access: "write",
        word: { ...(into ?? word), text: `${folder}${lastPart(word.text)}` },
      }),
    ),
  ];
}

/** A patch names the files it changes. */
function patchUses(words: Words): FileUse[] {
  const { operands, values } = readOptions(words, {
    valued: "iopdrBDFgVYz",
    valuedLong: ["input", "output", "strip", "directory", "reject-file"],
  });
  const named = values.flatMap(({ option, word }): FileUse[] => {
    if (/^(-i|--input)$/.test(option)) return [{ access: "read", word }];
    // Which files of a folder it changes is named inside of it.
    if (/^(-d|--directory)$/.test(option))
      return [{ access: "write", word, isRecursive: true, isPossible: true }];
    return /^(-o|-r|--output|--reject-file)$/.test(option) ? [{ access: "write", word }] : [];
  });
  const target = operands.slice(0, 1).map((word): FileUse => ({ access: "write", word }));
  return [
    ...named,
    ...target,
    ...(target.length === 0 ? [{ access: "write", word: UNKNOWN } as const] : []),
  ];
}

export const CONVERTING_FILES: readonly (readonly [string, UsesOf])[] = [
  ...ARCHIVE_FILES,
  ["dd", ddUses],
  ...rowsOf("sed gsed", sedUses),
  ...rowsOf("awk gawk mawk nawk", awkUses),
  ["curl", curlUses],
  ["wget", wgetUses],
  ["patch", patchUses],
  // Codex has it on the PATH of what it starts.
  ...rowsOf("apply_patch applypatch", () => [{ access: "write", word: LISTED }]),
  ...rowsOf(
    "gzip gunzip pigz unpigz bzip2 bunzip2 pbzip2 lbzip2 xz unxz lzma unlzma pixz zstd unzstd compress uncompress lz4 lzip lzop brotli",
    (words) => {
      const { operands, options } = readOptions(words, { valued: "S" });
      const keeps = options.some((each) =>
        /^(-c|--stdout|--to-stdout|-l|--list|-t|--test)$/.test(each),
      );
      return operands.flatMap((word): FileUse[] => [
        { access: "read", word },
        ...(keeps ? [] : [{ access: "delete", word } as const]),
      ]);
    },
  ),
  ...rowsOf(
    "jq gojq",
    rule("pattern", {
      files: {
        "-f": "read",
        "--from-file": "read",
        "--slurpfile": "read",
        "--rawfile": "read",
        "-L": "read",
      },
      pattern: ["-f", "--from-file"],
      valuedLong: ["arg", "argjson", "indent"],
    }),
  ),
  ["split", rule("read-then-write", { valued: "abCnlt" })],
  ["csplit", rule("read", { valued: "bn", files: { "-f": "write", "--prefix": "write" } })],
  ...rowsOf("openssl gpg age ssh-keygen keytool", (words) =>
    words.flatMap((word): FileUse[] =>
      /^-/.test(word.text)
        ? []
        : [
            { access: "read", word },
            { access: "write", word, isPossible: true },
          ],
    ),
  ),
];
