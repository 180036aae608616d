// Payloads made of one thing only, of any size, and what the guards of the starter file make of them.
import { execSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { STARTER } from "../../../src/hooks/commands/init-hooks.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { bash, type Call, type Guarding, openGuards } from "../builtins/guarded-project.ts";

/** What a text is made of: each class of characters, and what each guard looks for first; `№` counts up, so that no two of
 * them are the same; of three parts between `…` the middle one is what is repeated. */
export const PIECES: readonly string[] = [
  ...[
    " ",
    "\t",
    "\n",
    "'",
    '"',
    "`",
    "\\",
    "$",
    "$(",
    "${",
    "(",
    "{",
    "}",
    "[",
    "<<",
    "<<a\n",
    ">",
    "<(",
    "|",
    "&",
  ],
  ...[
    ";",
    "a",
    "7",
    "=",
    "/",
    "\\\n",
    ".",
    "~",
    "*",
    "?",
    "!",
    "#",
    "-",
    ",",
    ":",
    "@",
    "%",
    "é",
    "\u0000",
    "\u{1f600}",
  ],
  ...[
    "a ",
    "a\n",
    "a;",
    "a|",
    "a&&",
    "a=b ",
    "'a'",
    '"$a" ',
    "$(a) ",
    "`a`",
    "{a,",
    "{a,b}",
    "../",
    "*/",
    "**/",
    "[a",
    "((",
    "$((",
    "!(",
  ],
  ...[
    "cd a;",
    "cd ..;",
    "x=$x;",
    "if a;then ",
    "case a in a) ",
    "for a in ",
    "while a;do ",
    "f(){ ",
    "sh -c '",
    "eval ",
    "sudo ",
    "env a=b ",
    "xargs ",
  ],
  ...[
    "git ",
    "git push ",
    "git push --force;",
    "git -C a ",
    "git -c alias.a=b ",
    "rm ",
    "rm a;",
    "rm -rf a/*;",
    "mv a b;",
    "cp a b;",
    "cp -r a b ",
    "find . -name a ",
    "-exec rm {} ; ",
  ],
  ...[
    "git commit -m №;",
    "git checkout №;",
    "git add №;",
    "git -C d№ checkout a;",
    "git show HEAD:a > №;",
    "export A№=b;git log №;",
    "git config alias.a№ log;",
  ],
  ...[
    "rm №;",
    "cd d№; rm №;",
    "rm *№;",
    "rm a|cat №|",
    "mv a№ b№;rm b№;",
    "mv a№ b№;rm -rf d№/*;",
    "ln -s a№ b№;rm b№/c;",
    "rm $(echo №);",
    "echo $((",
    "echo $[",
    "x№=a№;rm $x№;",
    "python -c 'os.remove(\"№\")';",
  ],
  ...[
    ".env ",
    "**/.env",
    "cat .env;",
    "~/.ssh ",
    "package-lock.json ",
    ">package-lock.json;",
    "echo a>b;",
    "curl ",
    "curl http://a.b/;",
    "http://",
    "localhost ",
    "ssh a;",
  ],
  ...[
    "Bearer ",
    "sk-",
    "eyJ",
    "eyJa.",
    "ghp_",
    "AKIA",
    "-----BEGIN ",
    "password=",
    "token: ",
    "xoxb-",
    "://a:b@",
    "A1b2",
    "../.git/config ",
    ".adjutant/",
  ],
  ...[
    "git …-C № …status",
    "cat …/….env",
    "…7…a",
    "export A_PROXY=http://localhost/;curl http://localhost/;",
    "echo http://localhost/ > №;npm i №;",
  ],
  // How tools spell files, patches, lists, JSON in texts, and what is encoded.
  ...["file://", "file:///a ", "%2E", "$HOME/", "@a ", "--a=", "a=", "a:1", "a#L1", "<a>", "src/,"],
  ...["*** Add File: ", "*** Add File: a\n", " *** ", "--- a/", "diff --git a/", "+++ b/a\n", "\r"],
  ...['{"a":', '{"a":"b"},', "[[", '\\"', "QUJD", "QUJD\n", "414243", "\\x41", "'+'", "printf %s "],
  ...[
    "git push a ",
    "git push a b:c;",
    "git commit -m ",
    "git add a;",
    "git tag -F ",
    "base64 -d ",
  ],
  ...["[REDACTED]", "MIIE", "api_key=9f8", "-----BEGIN A PRIVATE KEY-----\n"],
];

const WAYS: Readonly<Record<string, (text: string) => Call>> = {
  shell: bash,
  write: (content) => ({ tool: "Write", args: { file_path: "src/a.ts", content } }),
  edit: (text) => ({
    tool: "Edit",
    args: { file_path: "src/a.ts", old_string: "a", new_string: text },
  }),
  path: (file_path) => ({ tool: "Write", args: { file_path, content: "" } }),
  glob: (glob) => ({ tool: "Grep", args: { pattern: "a", glob } }),
  mcp: (value) => ({ tool: "mcp__some__tool", args: { value } }),
  command: (command) => ({ tool: "mcp__some__tool", args: { command } }),
  many: (text) => {
    const words = text.split(" ");
    const named = Object.fromEntries(words.map((word, at) => [`${at}${word}`, at]));
    return { tool: "mcp__some__tool", args: { ...named, code: text, files: text, paths: words } };
  },
  deep: (text) => ({ tool: "mcp__some__tool", args: { value: nest(text, text.length / 16) } }),
};

/** As deep as a payload of that length can be nested; no agent's own parser takes more than some thousands. */
const nest = (inner: unknown, times: number): unknown =>
  Array.from({ length: Math.min(times, 4_000) }).reduce((value) => ({ a: [value] }), inner);

const KILOBYTE = 1024;
export const SIZES = [1, 32, 256 - 1 / KILOBYTE, 1024].map((size) => size * KILOBYTE);

const fill = (piece: string, bytes: number): string => {
  const [head = "", middle, tail = ""] = piece.split("…");
  if (middle !== undefined) return head + fill(middle, bytes - head.length - tail.length) + tail;
  if (piece.includes("№")) {
    const width = String(bytes).length;
    const size = Buffer.byteLength(piece.replaceAll("№", "0".repeat(width)));
    const count = Math.floor(bytes / size);
    return Array.from({ length: count }, (_, at) =>
      piece.replaceAll("№", String(at).padStart(width, "0")),
    ).join("");
  }
  const count = Math.floor(bytes / Buffer.byteLength(piece));
  return piece.repeat(count) + "a".repeat(bytes - count * Buffer.byteLength(piece));
};

interface Measured extends Guarding {
  /** Of this process alone: what others take of the machine does not count. */
  readonly cpuMs: number;
}

/** The guards of `adj hooks init` over a repository of one file. */
async function openStarter() {
  const base = temporaryFolder();
  const [root, home] = [join(base, "project"), join(base, "home")];
  mkdirSync(join(root, "src"), { recursive: true });
  mkdirSync(home);
  execSync("git init -q -b main", { cwd: root });
  const decide = await openGuards({ root, home, stateDir: join(base, "state"), hooks: STARTER });
  return async (call: Call): Promise<Measured> => {
    const before = process.cpuUsage();
    const guarding = await decide(call);
    const { user, system } = process.cpuUsage(before);
    return { ...guarding, cpuMs: (user + system) / 1_000 };
  };
}

/** Ten times what the slowest takes here for a whole line; what is quadratic takes minutes for it. */
const MAX_CPU_MS = 15_000;
/** A quadratic scan does sixty-four times the work for eight times the text. */
const MAX_GROWTH = 30;
/** Below this the ratio of two times says nothing. */
const NOISE_MS = 150;

interface GrowthSizes {
  readonly small: number;
  readonly whole: number;
  /** In which payloads; all where none are named. */
  readonly ways?: readonly string[];
}

/** Those on which something was once slower than linear, and one of each kind. */
export const SAMPLE = [
  ...['"', "\\", "${", "[", "a ", "rm ", "cp a b;", "*/", "http://", "echo $((", "rm №;"],
  ...["git commit -m №;", "git push a ", "../", "mv a№ b№;rm -rf d№/*;"],
];

/** The payloads with an answer that is late, or is one only because a guard failed. */
export async function findLate(
  pieces: readonly string[],
  { small, whole, ways = Object.keys(WAYS) }: GrowthSizes,
): Promise<string[]> {
  const ask = await openStarter();
  await ask(bash("ls"));
  const late: string[] = [];
  for (const [way, callOf] of Object.entries(WAYS).filter(([name]) => ways.includes(name)))
    for (const piece of pieces) {
      const first = await ask(callOf(fill(piece, small)));
      const last = await ask(callOf(fill(piece, whole)));
      const isSlower = last.cpuMs > Math.max(first.cpuMs, NOISE_MS) * MAX_GROWTH;
      const hasFailed = [first, last].some(({ reason }) =>
        /failed|could not be asked/.test(reason),
      );
      if (isSlower || hasFailed || last.cpuMs > MAX_CPU_MS)
        late.push(`${way} ${JSON.stringify(piece)}: ${first.cpuMs} ms, then ${last.cpuMs} ms`);
    }
  return late;
}
