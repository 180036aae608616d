// Programs that run text in a language of their own: whether a call gives them such text.
import type { SimpleCommand } from "./simple-command.ts";

interface Interpreter {
  /** Options behind which the text stands. */
  readonly text: RegExp;
  /** Options with a value of their own, which is no script. */
  readonly valued: RegExp;
  /** Its operands are files to work on, and more options may follow them. */
  readonly opensFiles?: boolean;
}

const NONE = /^\b$/;
const PYTHON: Interpreter = {
  text: /^-[bBdEhiIOqsSuvx]*c/,
  valued: /^-([WXm]|-check-hash-based-pycs)$/,
};
const NODE: Interpreter = {
  text: /^(-[ip]*[ep]+|--eval|--print)(=|$)/,
  valued: /^(-[rC]|--(require|import|loader|experimental-loader|conditions|env-file|input-type))$/,
};
const VIM: Interpreter = {
  text: /^(-c|\+|--cmd|-S|-l)/,
  valued: /^-[uUiTtwWr]$/,
  opensFiles: true,
};
const PERL: Interpreter = { text: /^-[a-zA-Z0-9]*[eE]/, valued: /^-[IMm]$/ };

const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
  ...["node", "nodejs", "bun", "tsx", "ts-node"].map((name): [string, Interpreter] => [name, NODE]),
  ...["perl", "ruby", "jruby"].map((name): [string, Interpreter] => [name, PERL]),
  ["deno", { text: /^eval$/, valued: NONE }],
  [
    "php",
    { text: /^(-[rRBE]|--(run|process-code|process-begin|process-end))$/, valued: /^-[dcz]$/ },
  ],
  ["lua", { text: /^-e/, valued: /^-l$/ }],
  ["luajit", { text: /^-[ejb]/, valued: /^-[lO]$/ }],
  ["osascript", { text: /^-[il]*e/, valued: /^-[ls]$/ }],
  ["rscript", { text: /^-e/, valued: NONE }],
  ["julia", { text: /^(-[eE]|--eval|--print)/, valued: /^-[tpJCL]$/ }],
  ["elixir", { text: /^(-e|--eval|--rpc-eval)/, valued: /^-r$/ }],
  ["swift", { text: /^-e/, valued: NONE }],
  ["ghc", { text: /^-e/, valued: /^-i/ }],
  ["scala", { text: /^-e/, valued: NONE }],
  ["groovy", { text: /^-e/, valued: NONE }],
  ["pwsh", { text: /^-(c|command|e|ec|encodedcommand)/i, valued: NONE }],
  ["powershell", { text: /^-(c|command|e|ec|encodedcommand)/i, valued: NONE }],
  ["tclsh", { text: NONE, valued: NONE }],
  ["jshell", { text: NONE, valued: /^(-[CR]|--(class-path|module-path|startup|feedback))$/ }],
  ["guile", { text: /^-[ce]/, valued: /^-[Ll]$/ }],
  ["erl", { text: /^-eval$/, valued: NONE, opensFiles: true }],
  ["expect", { text: /^-c/, valued: NONE }],
  ["gdb", { text: /^-{1,2}(ex|eval-command|iex)/, valued: NONE, opensFiles: true }],
  ["lldb", { text: /^-(o|O|-one-line)/, valued: NONE, opensFiles: true }],
  ["make", { text: /^--eval/, valued: /^-[CfIjloW]$/ }],
  ...["vim", "vi", "view", "nvim"].map((name): [string, Interpreter] => [name, VIM]),
  [
    "emacs",
    {
      text: /^-{1,2}(eval|execute|f|funcall|l|load|script)/,
      valued: /^-{1,2}(u|user|chdir|init-directory)$/,
      opensFiles: true,
    },
  ],
  ["ed", { text: NONE, valued: /^-p$/, opensFiles: true }],
  ["ex", VIM],
]);

/** `python3.12` is `python`. */
function interpreterOf(name: string): Interpreter | undefined {
  if (/^(python|pypy|ipython)[\d.]*$/.test(name)) return PYTHON;
  return (
    INTERPRETERS.get(name.replace(/(?<![\d.])[\d.]+$/, "").toLowerCase()) ?? INTERPRETERS.get(name)
  );
}

export const isInterpreter = (name: string): boolean => interpreterOf(name) !== undefined;

/** Programs whose script is what they read, with operands or without; vim only where it is told to be one of them. */
const READS_ALWAYS: ReadonlySet<string> = new Set(["ed", "ex", "gdb", "lldb"]);
const READS_EX = /^-[eEs]{1,2}$/;

/** Modules of Python that run code they are given. */
const RUNS_TEXT: ReadonlyMap<string, "words" | "input"> = new Map([
  ["timeit", "words"],
  ["pdb", "words"],
  ...["code", "asyncio", "cProfile", "profile", "trace"].map((name): [string, "input"] => [
    name,
    "input",
  ]),
]);

/** Where the text comes from that a call runs as a program of another language: its own words and here-documents, or
 * what it is given to read; null where it runs none. */
export function programSource(command: SimpleCommand): "words" | "input" | null {
  const [first, ...rest] = command.words;
  const interpreter = first?.kind === "literal" ? interpreterOf(first.text) : undefined;
  if (first === undefined || interpreter === undefined) return null;
  const { text: givesText, valued, opensFiles = false } = interpreter;
  const always = READS_ALWAYS.has(first.text);
  let source: "words" | null = null;
  for (let index = 0; index < rest.length; index++) {
    const text = rest[index]?.text ?? "";
    if (givesText.test(text)) {
      if (!opensFiles) return "words";
      source = "words";
    } else if (interpreter === VIM && READS_EX.test(text)) return "input";
    else if (interpreter === PYTHON && text === "-m")
      return RUNS_TEXT.get(rest[index + 1]?.text ?? "") ?? null;
    else if (valued.test(text)) index++;
    else if (/^(-|\/dev\/(stdin|fd\/\d+)|\/proc\/self\/fd\/\d+)$/.test(text)) return "input";
    else if (/^(--version|--help|-V|-v|-h)$/.test(text)) return null;
    else if (!/^[-+]/.test(text) && !opensFiles) return null;
  }
  if (always) return "input";
  if (opensFiles) return source;
  // Without a script it reads one.
  return first.text === "make" || first.text === "bun" ? null : "input";
}

/** Whether text that is in the line, or comes from a pipe, is run as a program of another language. */
export const readsProgramText = (command: SimpleCommand): boolean =>
  programSource(command) !== null;
