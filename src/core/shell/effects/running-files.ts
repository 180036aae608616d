// Files of programs that look for files or run them: find, shells and interpreters.
import { HERE, type ShellWord } from "../simple-command.ts";
import {
  findsOnlyEmpty,
  findsOnlyEmptyFolders,
  findsPart,
  namesFound,
} from "../wrappers/unwrap-found.ts";
import { skipOptions, WRAPPERS } from "../wrappers/wrappers.ts";
import { type FileUse, possibleUses } from "./file-effect.ts";
import { readOptions } from "./read-options.ts";

type Words = readonly ShellWord[];

/** What `-exec` does is told by the command it runs. */
export function findUses(words: Words): FileUse[] {
  const start = words.findIndex(({ text }) => /^[-(!,]/.test(text) && !/^-[HLP]$/.test(text));
  const given = words.slice(0, start === -1 ? words.length : start);
  const roots = given.filter(({ text }) => !/^-[HLP]$/.test(text));
  const below = roots.length === 0 ? [HERE] : roots;
  const deletes = words.some(({ text }) => text === "-delete") && !findsOnlyEmptyFolders(words);
  const names = findsOnlyEmpty(words) ? [] : namesFound(words);
  const isPart = findsPart(words);
  return [
    ...below.map((word): FileUse => ({ access: "list", word, isRecursive: true })),
    ...(deletes
      ? below.map(
          (word): FileUse => ({
            ...{ access: "delete", word, isRecursive: true, names, isPart },
          }),
        )
      : []),
    ...words.flatMap(({ text }, index): FileUse[] => {
      const word = words[index + 1];
      if (word === undefined) return [];
      if (/^-(fprint0?|fprintf|fls)$/.test(text)) return [{ access: "write", word }];
      return /^-(files0-from|newer\w*|samefile)$/.test(text) ? [{ access: "list", word }] : [];
    }),
  ];
}

const XARGS = WRAPPERS.get("xargs");

/** `xargs -a names cat`: what the file holds becomes words of the command, which may print them. */
export function argumentUses(words: Words): FileUse[] {
  if (XARGS === undefined) return [];
  const { rest } = skipOptions([HERE, ...words], XARGS);
  const { values } = readOptions(words.slice(0, words.length - rest.length), XARGS);
  return values.flatMap(({ option, word }): FileUse[] =>
    option === "-a" || (option.length > 2 && "--arg-file".startsWith(option))
      ? [{ access: "read", word }]
      : [],
  );
}

const TIME = WRAPPERS.get("time");

/** `time -o file make`: what it runs is another command. */
export function timeUses(words: Words): FileUse[] {
  if (TIME === undefined) return [];
  const { rest } = skipOptions([HERE, ...words], TIME);
  const { values } = readOptions(words.slice(0, words.length - rest.length), TIME);
  return values.flatMap(({ option, word }): FileUse[] =>
    option === "-o" || (option.length > 2 && "--output".startsWith(option))
      ? [{ access: "write", word }]
      : [],
  );
}

/** `sh script.sh a b`: what the script does with its words is unknown. */
/** `. "$NVM_DIR/nvm.sh"`: where it is, only the environment knows; its name is there. */
const FROM_ENVIRONMENT = /^\$(?:[A-Z][A-Z0-9_]*|\{[A-Z][A-Z0-9_]*\})(?:\/[\w.-]+)+$/;

export function scriptUses(words: Words): FileUse[] {
  const options = readOptions(words, { valued: "oO", valuedLong: ["rcfile", "init-file"] });
  const started = options.values.flatMap(({ option, word }): FileUse[] =>
    /^--(rcfile|init-file)$/.test(option) ? [{ access: "read", word }] : [],
  );
  if (options.options.includes("-c")) return started;
  const [script, ...rest] = options.operands;
  if (script === undefined || script.text === "-") return [...started, ...possibleUses(rest)];
  const isPossible = FROM_ENVIRONMENT.test(script.text);
  return [
    ...started,
    { access: "execute", word: script, isPossible },
    { access: "read", word: script, isPossible },
    ...possibleUses(rest),
  ];
}

const INTERPRETER = {
  valued: "WXmrCIMlde",
  valuedLong: ["require", "import", "loader", "conditions", "env-file", "eval"],
};

/** `perl -i` and `ruby -i` write what they read. */
export const editingUses = (words: Words): FileUse[] => {
  const uses = interpreterUses(words);
  const code = words.findIndex(({ text }) => /^-\w*[eE]$/.test(text));
  const isEdit = words.some(({ text }) => /^-[0-9a-df-zA-DF-Z]*?i/.test(text)) && code !== -1;
  const files = words.slice(code + 2).filter(({ text }) => !text.startsWith("-"));
  return isEdit ? [...uses, ...files.map((word): FileUse => ({ access: "write", word }))] : uses;
};

/** `python3 -m zipfile -e a.zip folder`: what comes out of an archive is named inside of it. */
const unpackedBy = ([module, option, , into]: Words): FileUse[] =>
  /^(zipfile|tarfile)$/.test(module?.text ?? "") && /^(-e|--extract)$/.test(option?.text ?? "")
    ? [{ access: "write", word: into ?? HERE, isRecursive: true }]
    : [];

export function interpreterUses(words: Words): FileUse[] {
  // `python3 -m base64 -e .env`: the rest is the module's own.
  const module = words.findIndex(({ text }) => text === "-m");
  if (module !== -1 && words.slice(0, module).every(({ text }) => text.startsWith("-")))
    return [...possibleUses(words.slice(module + 2)), ...unpackedBy(words.slice(module + 1))];
  const { operands, values, options } = readOptions(words, INTERPRETER);
  const loaded = values.flatMap(({ option, word }): FileUse[] =>
    /^(-r|--require|--import|--loader|--env-file)$/.test(option)
      ? [{ access: "execute", word }]
      : [],
  );
  const hasText = options.some((each) => /^(-[ceEpm]|--eval|--print)$/.test(each));
  const [script, ...rest] = operands;
  if (hasText || script === undefined) return [...loaded, ...possibleUses(operands)];
  return [...loaded, { access: "execute", word: script }, ...possibleUses(rest)];
}
