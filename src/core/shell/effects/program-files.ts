// Which of a program's words are files, and what becomes of them.
import { cmakeUnpackUses, homeUses, mirrorUses } from "./archive-files.ts";
import { CONVERTING_FILES } from "./converting-files.ts";
import { type FileUse, possibleUses } from "./file-effect.ts";
import { gitUses } from "./git-files.ts";
import { type FileRule, rowsOf, type UsesOf, usesBy } from "./operands.ts";
import {
  argumentUses,
  editingUses,
  findUses,
  interpreterUses,
  scriptUses,
  timeUses,
} from "./running-files.ts";
import { SEARCHING_FILES } from "./searching-files.ts";
import { SERVICE_FILES } from "./service-files.ts";

const rule = (operands: FileRule["operands"], more: Omit<FileRule, "operands"> = {}): UsesOf =>
  usesBy({ operands, ...more });

const DELETE = rule("delete", { valued: "ns", recursive: ["-r", "-R", "--recursive"] });
const GLOB = /[*?[]/;

const NONE: UsesOf = () => [];

const RECURSES = ["-r", "-R", "--recursive", "-a", "--archive", "--dereference-recursive"];
const COPY_FAR = rule("copy", {
  valued: "eFfoPicJlSX",
  valuedLong: ["exclude", "include", "filter", "rsh", "port", "chmod", "out-format", "info"],
  files: {
    "--exclude-from": "read",
    "--include-from": "read",
    "--files-from": "read",
    "--log-file": "write",
    "--backup-dir": "write",
    "--password-file": "read",
    "-i": "read",
  },
  recursive: [...RECURSES, "-z"],
  isRecursive: true,
});

const MAKE = rule("none", {
  valued: "CIjloW",
  files: { "-f": "execute", "--file": "execute", "--makefile": "execute", "--justfile": "execute" },
});

/** `gio remove f`, `cmake -E rm f`: the verb stands before the files. */
const deletesBy =
  (verbs: RegExp): UsesOf =>
  (words) => {
    const at = words.findIndex(({ text }) => verbs.test(text));
    const files = at === -1 ? [] : words.slice(at + 1).filter(({ text }) => !/^-./.test(text));
    return [...possibleUses(words), ...files.map((word) => ({ access: "delete" as const, word }))];
  };

const CMAKE = deletesBy(/^(rm|remove|remove_directory)$/);

export const PROGRAM_FILES: ReadonlyMap<string, UsesOf> = new Map<string, UsesOf>([
  ...rowsOf(
    `: echo printf true false test-builtin exit return break continue shift set shopt wait jobs kill sleep seq
     id whoami hostname uname uptime env export unset readonly declare typeset local read type
     which command builtin exec eval trap alias unalias umask ulimit times tput clear nice nohup
     timeout stdbuf setsid sudo doas watch nproc free ps top pgrep pkill killall
     basename dirname expr let getopts yes tty stty groups getent locale help cal bc dc factor
     cd pushd popd dirs hash fg bg disown caller logname printenv ionice chrt taskset`,
    NONE,
  ),
  ...rowsOf(
    "cat tac nl less more most bat batcat rev expand unexpand fmt fold pr column paste join comm cmp zcat gzcat bzcat xzcat zless md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5 strings hexdump hexyl od nm objdump readelf size tsort base64 base32 view file-read open xdg-open code pbcopy xclip",
    rule("read", { valued: "sdtfjwnNCcAS" }),
  ),
  ...rowsOf(
    "head tail",
    rule("read", { valued: "nc", valuedLong: ["lines", "bytes", "pid", "sleep-interval"] }),
  ),
  ["iconv", rule("read", { valued: "ft", files: { "-o": "write", "--output": "write" } })],
  // They look over scripts and change none.
  ...rowsOf("shellcheck checkbashisms hadolint actionlint", rule("read", { valued: "efiosSPW" })),
  ["time", timeUses],
  [
    "history",
    rule("none", { files: { "-r": "read", "-n": "read", "-w": "write", "-a": "write" } }),
  ],
  ["wc", rule("read", { lists: ["--files0-from"] })],
  // `man -l file` and `man ./file`.
  [
    "man",
    (words) =>
      words.flatMap((word): FileUse[] =>
        word.text.startsWith("-") ? [] : [{ access: "read", word, isPossible: true }],
      ),
  ],
  [
    "cut",
    rule("read", {
      valued: "bcdf",
      valuedLong: ["bytes", "characters", "delimiter", "fields", "output-delimiter"],
    }),
  ],
  ["tr", NONE],
  [
    "sort",
    rule("read", {
      valued: "kSt",
      valuedLong: ["key", "field-separator", "buffer-size", "parallel", "batch-size"],
      files: {
        "-o": "write",
        "--output": "write",
        "-T": "write",
        "--random-source": "read",
        "--compress-program": "execute",
      },
      lists: ["--files0-from"],
    }),
  ],
  ["uniq", rule("read-then-write", { valued: "fsw" })],
  ["shuf", rule("read", { valued: "ni", files: { "-o": "write", "--output": "write" } })],
  ["xxd", rule("read-then-write", { valued: "cglosRn" })],
  [
    "diff",
    rule("read", {
      valued: "UCIxFWL",
      valuedLong: ["unified", "context", "exclude", "label", "color", "ignore-matching-lines"],
      files: { "-X": "read", "--exclude-from": "read", "--output": "write" },
      recursive: ["-r", "--recursive"],
    }),
  ],
  ...rowsOf(
    "diff3 sdiff delta difft colordiff",
    rule("read", { files: { "-o": "write", "--output": "write" }, isRecursive: true }),
  ),
  ...rowsOf(
    "ls dir vdir eza exa lsattr stat realpath readlink du df tree lsof locate test [ namei pathchk getfacl tokei cloc",
    rule("list", {
      valued: "ITLPwfFct",
      valuedLong: ["format", "printf", "time-style", "ignore", "exclude", "max-depth", "depth"],
      files: {
        "-o": "write",
        "--output": "write",
        "-m": "read",
        "--magic-file": "read",
        "--fromfile": "read",
      },
    }),
  ),
  [
    "date",
    rule("none", {
      valued: "ds",
      valuedLong: ["date"],
      files: { "-f": "read", "--file": "read", "-r": "list" },
    }),
  ],
  [
    "file",
    rule("list", { valued: "emFP", files: { "-f": "read", "--files-from": "read", "-m": "read" } }),
  ],
  ...rowsOf(
    "touch tee sponge mkdir mkfifo mknod truncate fallocate",
    rule("write", {
      valued: "dtrsmZol",
      files: { "-r": "read", "--reference": "read" },
      valuedLong: ["date", "time", "size", "mode"],
    }),
  ),
  ...rowsOf(
    "chmod chown chgrp chattr setfacl chcon",
    rule("all-but-first-written", {
      files: { "--reference": "read" },
      recursive: ["-R", "--recursive"],
    }),
  ),
  [
    "cp",
    rule("copy", {
      valued: "S",
      valuedLong: ["suffix"],
      target: ["-t", "--target-directory"],
      recursive: RECURSES,
    }),
  ],
  [
    "install",
    rule("copy", {
      valued: "Smgo",
      valuedLong: ["suffix", "mode", "owner", "group"],
      target: ["-t", "--target-directory"],
    }),
  ],
  [
    "mv",
    rule("move", { valued: "S", valuedLong: ["suffix"], target: ["-t", "--target-directory"] }),
  ],
  [
    "ln",
    rule("link", { valued: "S", valuedLong: ["suffix"], target: ["-t", "--target-directory"] }),
  ],
  ...rowsOf(
    "rm rmdir zf_rm zf_rmdir unlink shred srm wipe trash trash-put rip rmtrash safe-rm remove-item",
    DELETE,
  ),
  // They expand patterns themselves.
  ...rowsOf("rimraf del-cli trash-cli premove", (words, folders) =>
    DELETE(
      words.map((word) => (GLOB.test(word.text) ? { ...word, kind: "glob" } : word)),
      folders,
    ),
  ),
  ["gio", deletesBy(/^(remove|trash)$/)],
  ["cmake", (words, given) => [...CMAKE(words, given), ...cmakeUnpackUses(words)]],
  ...["chezmoi", "stow", "yadm", "rcup", "mackup", "home-manager", "dotbot"].map(
    (name): [string, UsesOf] => [name, homeUses(name)],
  ),
  ...rowsOf("svn bzr", deletesBy(/^(rm|remove|delete|del)$/)),
  ...rowsOf("make gmake ninja samu just", (words, folders) => [
    ...MAKE(words, folders),
    ...possibleUses(words),
  ]),
  ["scp", COPY_FAR],
  ["rsync", (words, given) => [...COPY_FAR(words, given), ...mirrorUses(words)]],
  ...rowsOf("find gfind fd fdfind", findUses),
  ...rowsOf("xargs parallel", argumentUses),
  ...rowsOf("git", gitUses),
  ...rowsOf("sh bash dash zsh ksh ash mksh fish rbash yash source .", scriptUses),
  ...rowsOf(
    "python python2 python3 pypy node nodejs bun tsx ts-node php lua luajit rscript julia osascript pwsh tclsh",
    interpreterUses,
  ),
  ...rowsOf("perl ruby", editingUses),
  ...CONVERTING_FILES,
  ...SEARCHING_FILES,
  ...SERVICE_FILES,
]);
