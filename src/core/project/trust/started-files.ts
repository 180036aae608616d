// Which files code in another language than a shell's may start: what its texts name, what programs that it starts read of
// the project, in each folder that it goes to. Pure: whether a file is there is seen by who asks.
import { joinFolder } from "../../shell/line-state.ts";
import { MAX_PATHS, manyPathsIn } from "./command-reading.ts";
import { PROJECT_RUNNERS } from "./known-programs.ts";

/** `execSync("make -s")`, `subprocess.run(["npm", …])`, `system "make"`: the first word of what is started. Backquotes alone
 * are not taken for a start: they stand in many a message. */
const STARTS =
  /(?:\b(?:exec\w*|spawn\w*|system|popen|run|call|check_(?:call|output)|get(?:status)?output|Popen|Command|qx)|\$)\s{0,3}[([{]{0,2}\s{0,9}["'`]\s{0,9}([\w.-]{1,40})/g;

/** `os.chdir("d")`, `{ cwd: join(root, "d", "e") }`, `["env", "-C", "d"]`. */
const ENTERS =
  /(?:\b(?:chdir|cwd)\b|["'`]-C["'`])[^"'`\n]{1,60}((?:["'`][^"'`\n]{1,200}["'`][ \t]{0,3}[,/]?[ \t]{0,3}){1,4})/g;

/** The same in a line of a shell that stands in a text: `cd d && sh x`, `make -C d`. */
const ENTERS_IN_LINE =
  /(?:\b(?:cd|pushd)|\s-\w{0,9}C|--(?:chdir|directory|prefix|cwd))[ \t=]{1,4}([\w./-]{1,200})/g;

const MAX_FOLDERS = 10;

/** `text` is all of the code, `named` what of it could name files, where that is less. */
export function filesStartedIn(text: string, named = manyPathsIn(text, MAX_PATHS)): string[] {
  const runners = [...text.matchAll(STARTS)].flatMap(
    ([, program = ""]) => PROJECT_RUNNERS.get(program) ?? [],
  );
  // `process.cwd() + "/x"`
  const files = [...named, ...named.map((name) => name.replace(/^\/+/, "")), ...runners];
  const folders = [".", ...new Set(foldersEntered(text))].slice(0, MAX_FOLDERS);
  return [...new Set(folders.flatMap((folder) => inFolder(folder, files)))];
}

const inFolder = (folder: string, files: readonly string[]): string[] =>
  folder === "." ? [...files] : files.map((file) => joinFolder(folder, file) ?? file);

function foldersEntered(text: string): string[] {
  const inLines = [...text.matchAll(ENTERS_IN_LINE)].map(([, folder = "."]) => folder);
  const inCode = [...text.matchAll(ENTERS)].flatMap(([, list = ""]) => {
    const parts = list.split(/["'`]/).filter((part) => /\w/.test(part));
    // How many of them make the path is not seen: each beginning may be it, also behind another folder.
    return parts.map((_, at) =>
      parts
        .slice(0, at + 1)
        .join("/")
        .replace(/^\/+/, ""),
    );
  });
  return [...inLines, ...inCode];
}
