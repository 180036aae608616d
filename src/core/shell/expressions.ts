// Text that the shell itself evaluates as an expression: arithmetic, subscripts, `[[ -v`, `${!x}`. A value in it may hold
// `a[$(…)]`, which runs: only numbers that the script itself made are sure.
import {
  type ArithmeticExpression,
  type Command,
  forEachChild,
  type SyntaxNode,
  type Word,
} from "unbash";
import type { Unsure } from "./simple-command.ts";

const NUMBER = /^[-+]?\d+$/;
const NAME = /[A-Za-z_]\w*/g;
const SUBSTITUTION = /`|\$[({]/;
/** The shell's own, always a number. */
const ALWAYS_NUMBERS: ReadonlySet<string> = new Set(
  `RANDOM SECONDS LINENO UID EUID PPID BASHPID COLUMNS LINES SHLVL OPTIND EPOCHSECONDS SRANDOM # ? $ !`.split(
    " ",
  ),
);
const NUMERIC_TEST = /^-(eq|ne|lt|le|gt|ge)$/;
/** The shell's own commands that evaluate the subscript of a name they are given as a word. */
const NAMING =
  /^(let|test|\[|read|readarray|mapfile|printf|getopts|unset|wait|export|declare|typeset|local|readonly)$/;
const HIDING_SUBSCRIPT = /^[A-Za-z_]\w*\[.*(`|\$[({])/s;
const STORES =
  /^(read|readarray|mapfile|printf|getopts|export|declare|typeset|local|readonly|wait|eval|source|\.)$/;

interface Values {
  readonly numbers: Set<string>;
  readonly others: Set<string>;
  /** Names that were given text with a substitution in it. */
  readonly hiding: Set<string>;
}

/** What is evaluated without anybody having read it. */
export function findExpressions(script: SyntaxNode): Unsure[] {
  const values: Values = { numbers: new Set(), others: new Set(), hiding: new Set() };
  const evaluated: Evaluated[] = [];
  const visit = (node: SyntaxNode): void => {
    noteValues(node, values);
    const found = evaluatedIn(node);
    if (found !== null) evaluated.push(found);
    forEachChild(node, visit);
  };
  visit(script);
  return evaluated.flatMap((each) => judge(each, values));
}

interface Evaluated {
  readonly text: string;
  readonly names: readonly string[];
  /** It holds more than names and numbers. */
  readonly isOpen: boolean;
  /** Quotes keep a substitution from being seen, and the evaluation runs it. */
  readonly isHiding?: boolean;
}

function judge(each: Evaluated, { numbers, others, hiding }: Values): Unsure[] {
  const { text, names, isOpen, isHiding } = each;
  if (isHiding === true || names.some((name) => hiding.has(name)))
    return [{ kind: "program", text }];
  const isSure = (name: string): boolean =>
    ALWAYS_NUMBERS.has(name) || (numbers.has(name) && !others.has(name));
  return isOpen || !names.every(isSure) ? [{ kind: "expression", text }] : [];
}

function noteValues(node: SyntaxNode, { numbers, others, hiding }: Values): void {
  if (node.type === "Assignment") {
    const { value } = node;
    const isNumber = value.type === "Word" && isNumeric(value) && node.append !== true;
    (isNumber ? numbers : others).add(node.name);
    if (value.type === "Word" && hides(value)) hiding.add(node.name);
  } else if (node.type === "For" || node.type === "Select") {
    const isNumber = node.type === "For" && (node.wordlist ?? []).every(isNumeric);
    (isNumber && node.wordlist !== undefined ? numbers : others).add(node.name.value);
  } else if (node.type === "ArithmeticBinary" && /^([^=!<>]|<<|>>)?=$/.test(node.operator)) {
    for (const name of namesOf(node.left)) numbers.add(name);
  } else if (node.type === "ArithmeticUnary" && /^(\+\+|--)$/.test(node.operator)) {
    for (const name of namesOf(node.operand)) numbers.add(name);
  } else if (node.type === "Command" && STORES.test(node.name?.value ?? "")) {
    for (const word of node.args)
      if (word.type === "Word") for (const [name] of word.value.matchAll(NAME)) others.add(name);
  }
}

const namesOf = (node: ArithmeticExpression): string[] =>
  node.type === "ArithmeticWord" ? (node.value.match(NAME) ?? []) : [];

function isNumeric({ value, parts }: Word): boolean {
  if (parts === undefined || parts.length === 0) return NUMBER.test(value);
  const [only, another] = parts;
  if (another !== undefined || only === undefined) return false;
  return (
    only.type === "ArithmeticExpansion" ||
    (only.type === "BraceExpansion" && /^\{-?\d+\.\.-?\d+(\.\.-?\d+)?\}$/.test(only.text))
  );
}

const isLiteral = ({ parts }: Word): boolean =>
  parts === undefined ||
  parts.every(
    ({ type }) => type === "SingleQuoted" || type === "Literal" || type === "AnsiCQuoted",
  );

/** What a node evaluates, null where it evaluates nothing by itself. */
function evaluatedIn(node: SyntaxNode): Evaluated | null {
  switch (node.type) {
    case "ArithmeticWord": {
      const isOpen = /\$\(|`|\$\{|\$\d|\$[@*]|['"]/.test(node.value);
      return { text: node.value, names: namesOf(node), isOpen };
    }
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
      return node.expression === undefined
        ? {
            text: node.type === "ArithmeticCommand" ? node.body : node.text,
            names: [],
            isOpen: true,
          }
        : null;
    case "ArithmeticCommandExpansion":
      return { text: node.text, names: [], isOpen: true };
    case "ParameterExpansion":
      return evaluatedInParameter(node);
    case "Assignment":
      return node.index === undefined ? null : evaluatedWord(node.index);
    case "ArrayValue":
      return node.elements.some(({ text }) => text.startsWith("["))
        ? { text: "[…]=", names: [], isOpen: true }
        : null;
    case "Command":
      return evaluatedInBuiltin(node);
    case "TestUnary":
      return /^-[vR]$/.test(node.operator) ? evaluatedName(node.operand) : null;
    case "TestBinary":
      return NUMERIC_TEST.test(node.operator)
        ? bothOf(evaluatedWord(node.left), evaluatedWord(node.right))
        : null;
    default:
      return null;
  }
}

/** `let 'a[$(…)]'`, `test -v 'a[$(…)]'`, `declare -i n='a[$(…)]'`. */
function evaluatedInBuiltin({ name, args }: Command): Evaluated | null {
  const program = name?.value ?? "";
  if (!NAMING.test(program)) return null;
  const isNumber = args.some(({ type, text }) => type === "Word" && /^-\w*[in]/.test(text));
  for (const argument of args) {
    const word = argument.type === "Word" ? argument : argument.value;
    if (word.type !== "Word") continue;
    const isGiven = argument.type === "Word" || isNumber;
    const isHiding =
      isGiven && hides(word) && (program === "let" || HIDING_SUBSCRIPT.test(word.value));
    if (isHiding) return { text: word.value, names: [], isOpen: true, isHiding };
  }
  return null;
}

function evaluatedInParameter(
  node: SyntaxNode & { readonly type: "ParameterExpansion" },
): Evaluated | null {
  const { index, operation, prefix, text } = node;
  const isAll = index !== undefined && /^[@*]$/.test(index.value);
  if (prefix === "!" && !isAll && operation?.type !== "Names")
    return { text, names: [], isOpen: true };
  // `${x@P}` runs the substitutions in a value, as a prompt does.
  if (operation?.type === "Transform" && operation.operand.value === "P")
    return { text, names: [], isOpen: true, isHiding: true };
  if (operation?.type === "Unknown") return { text, names: [], isOpen: true };
  if (operation?.type === "Slice") {
    const { offset, length } = operation;
    const whole = bothOf(
      evaluatedWord(offset),
      length === undefined ? null : evaluatedWord(length),
    );
    return index === undefined || isAll ? whole : bothOf(whole, evaluatedWord(index));
  }
  return index === undefined || isAll ? null : evaluatedWord(index);
}

function bothOf(a: Evaluated | null, b: Evaluated | null): Evaluated | null {
  if (a === null || b === null) return a ?? b;
  const isHiding = a.isHiding === true || b.isHiding === true;
  const isOpen = a.isOpen || b.isOpen;
  return { text: `${a.text} ${b.text}`, names: [...a.names, ...b.names], isOpen, isHiding };
}

/** A plain name has no subscript to evaluate. */
function evaluatedName(word: Word): Evaluated | null {
  const { value, parts } = word;
  if (parts === undefined && /^[A-Za-z_]\w*$/.test(value)) return null;
  return { text: value, names: [], isOpen: true, isHiding: hides(word) };
}

const hides = (word: Word): boolean => isLiteral(word) && SUBSTITUTION.test(word.value);

function evaluatedWord(word: Word): Evaluated | null {
  const { value, parts } = word;
  if (NUMBER.test(value.trim())) return null;
  const names = value.match(NAME) ?? [];
  const isPlain = /^[\w\s$+*/%<>=!&|?:~^(),#-]*$/.test(value) && !/\$[({\d@*]/.test(value);
  const isSpecial = parts?.some((part) => part.type === "CommandExpansion") === true;
  const special = value.match(/\$[#?$!]/g)?.map((each) => each.slice(1)) ?? [];
  return {
    text: value,
    names: [...names, ...special],
    isOpen: !isPlain || isSpecial,
    isHiding: hides(word),
  };
}
