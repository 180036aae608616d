// Programs that run text in a language of their own: whether a call gives them such text.
import type { SimpleCommand } from "./simple-command.ts";

interface Interpreter {
  /** Options behind which the text stands. */
  readonly text: RegExp;
  /** Options with a value of their own, which is no script. */
  readonly valued: RegExp;
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
  ["scala", { text: /^-e/, valued: NONE }],
  ["groovy", { text: /^-e/, valued: NONE }],
  ["pwsh", { text: /^-(c|command|e|ec|encodedcommand)/i, valued: NONE }],
  ["powershell", { text: /^-(c|command|e|ec|encodedcommand)/i, valued: NONE }],
  ["tclsh", { text: NONE, valued: NONE }],
  ["expect", { text: /^-c/, valued: NONE }],
  ["gdb", { text: /^-{1,2}(ex|eval-command|iex)/, valued: NONE }],
  ["lldb", { text: /^-(o|O|-one-line)/, valued: NONE }],
  ["make", { text: /^--eval/, valued: /^-[CfIjloW]$/ }],
  ["vim", { text: /^(-c|\+|--cmd|-S|-s)/, valued: NONE }],
  ["vi", { text: /^(-c|\+|--cmd|-S)/, valued: NONE }],
  ["nvim", { text: /^(-c|\+|--cmd|-S|-l)/, valued: NONE }],
  ["emacs", { text: /^-{1,2}(eval|execute|f|funcall|l|load|script)/, valued: NONE }],
  ["ed", { text: NONE, valued: /^-p$/ }],
  ["ex", { text: /^(-c|\+)/, valued: NONE }],
]);

/** `python3.12` is `python`. */
function interpreterOf(name: string): Interpreter | undefined {
  if (/^(python|pypy|ipython)[\d.]*$/.test(name)) return PYTHON;
  return INTERPRETERS.get(name.replace(/[\d.]+$/, "").toLowerCase()) ?? INTERPRETERS.get(name);
}

export const isInterpreter = (name: string): boolean => interpreterOf(name) !== undefined;

/** Programs whose script is what they read, with operands or without. */
const READS_ALWAYS: ReadonlySet<string> = new Set(["ed", "ex"]);

/** Whether text that is in the line, or comes from a pipe, is run as a program of another language. */
export function readsProgramText(command: SimpleCommand): boolean {
  const [first, ...rest] = command.words;
  const interpreter = first?.kind === "literal" ? interpreterOf(first.text) : undefined;
  if (first === undefined || interpreter === undefined) return false;
  for (let index = 0; index < rest.length; index++) {
    const text = rest[index]?.text ?? "";
    if (interpreter.text.test(text)) return true;
    if (interpreter === PYTHON && text === "-m") return false;
    if (interpreter.valued.test(text)) index++;
    else if (/^(-|\/dev\/(stdin|fd\/\d+)|\/proc\/self\/fd\/\d+)$/.test(text)) return true;
    else if (/^(--version|--help|-V|-v|-h)$/.test(text)) return false;
    else if (!/^[-+]/.test(text)) return READS_ALWAYS.has(first.text);
  }
  // Without a script it reads one.
  return first.text !== "make" && first.text !== "bun";
}
