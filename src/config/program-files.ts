// Which words of a command line name files that would be executed. Pure: nothing is looked up here.
import { basename } from "node:path";

const INTERPRETERS = new Set([
  "node",
  "deno",
  "bun",
  "tsx",
  "sh",
  "bash",
  "dash",
  "zsh",
  "fish",
  "python",
  "python3",
  "ruby",
  "perl",
  "php",
  "pwsh",
]);

// Options whose next word is a file that is executed as well.
const LOADING = new Set(["-r", "--require", "--import", "--loader", "--experimental-loader"]);
// After these comes code or a module's name, and no script.
const CODE = new Set(["-c", "-e", "-m", "-p", "--eval", "--print", "-Command"]);
// `deno run x.ts`, `bun run x.ts`, `tsx watch x.ts`
const SUBCOMMANDS = new Set(["run", "watch"]);

/** The places in `argv` of words that are executed if they are files: the program, a script, what it preloads. */
export function programPlaces(argv: readonly string[]): number[] {
  const [program] = argv;
  if (program === undefined) return [];
  const places = program.includes("/") ? [0] : [];
  return INTERPRETERS.has(basename(program)) ? [...places, ...scriptPlaces(argv)] : places;
}

function scriptPlaces(argv: readonly string[]): number[] {
  const places: number[] = [];
  for (let place = 1; place < argv.length; place++) {
    const word = argv[place] ?? "";
    if (LOADING.has(word)) {
      place += 1;
      places.push(place);
    } else if (CODE.has(word)) return places;
    else if (!word.startsWith("-") && !SUBCOMMANDS.has(word)) return [...places, place];
  }
  return places;
}

/** The words that `programPlaces` points at. */
export const programFiles = (argv: readonly string[]): string[] =>
  programPlaces(argv).flatMap((place) => argv[place] ?? []);

/** Every word of a shell command that could be a path; quotes and operators are left out. */
export function shellFiles(command: string): string[] {
  const words = command.split(/[\s"'`;|&<>(){}=$]+/);
  return [...new Set(words.filter((word) => word.includes("/") && !/^\/+$/.test(word)))];
}
