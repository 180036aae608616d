// Files of programs that hand them to a service, or take variables for it from a file that their words do not name.
import type { ShellWord } from "../simple-command.ts";
import { type FileUse, possibleUses } from "./file-effect.ts";
import { rowsOf, type UsesOf } from "./operands.ts";
import { interpreterUses } from "./running-files.ts";

type Words = readonly ShellWord[];

const SENDS = /^(?:cp|sync|rsync|mv|copy|move|mirror|bisync)$/;

/** `aws s3 sync . s3://bucket`: all but the last of what stands behind the verb, with what is in it. */
function sendingUses(words: Words): FileUse[] {
  const at = words.findIndex(({ text }) => SENDS.test(text));
  const operands = at === -1 ? [] : words.slice(at + 1).filter(({ text }) => !/^-./.test(text));
  return [
    ...possibleUses(words),
    ...operands.slice(0, -1).map((word): FileUse => ({ access: "read", word, isRecursive: true })),
  ];
}

const DOTENV: ShellWord = { text: ".env", kind: "literal" };

const PRINTS_NONE = /^(?:-q|--quiet|--no-interpolate|--services|--images|--profiles|--volumes)$/;

/** What is printed of `.env`, or given to a program that may print it: `docker compose config` puts in its values. */
const dotenvUses =
  (prints: RegExp): UsesOf =>
  (words) => {
    const isPrinted =
      prints.test(words.map(({ text }) => text).join(" ")) &&
      !words.some(({ text }) => PRINTS_NONE.test(text));
    return [
      ...possibleUses(words),
      ...(isPrinted ? [{ access: "read", word: DOTENV } as const] : []),
    ];
  };

/** `--env-file` and `--env` without a value of their own. */
const denoUses = (words: Words): FileUse[] => [
  ...interpreterUses(words),
  ...(words.some(({ text }) => /^--env(?:-file)?$/.test(text))
    ? [{ access: "read", word: DOTENV } as const]
    : []),
];

/** `list` and `get` tell values themselves, and so does what is run to print its environment. */
const PRINTS_ENVIRONMENT = /^(?:list|get)(?: |$)|(?:^| )(?:env|printenv|export|set)(?: |$)/;

/** It loads the file by itself before it runs code. */
const bunUses = (words: Words): FileUse[] => [
  ...interpreterUses(words),
  ...(words.some(({ text }) => /\b(?:process|Bun|import\.meta)\.env\b/.test(text))
    ? [{ access: "read", word: DOTENV } as const]
    : []),
];

const OF_RESOURCES =
  /^(?:get|describe|delete|edit|explain|label|annotate|patch|rollout|scale|logs|exec|wait|top)$/;

/** `kubectl get secrets`: behind such a verb a bare word is a resource, unless it is the value of an option. */
function clusterUses(words: Words): FileUse[] {
  const isOfResources = words.some(({ text }) => OF_RESOURCES.test(text));
  const isResource = ({ text }: ShellWord, at: number): boolean =>
    /^[\w,-]+$/.test(text) && words[at - 1]?.text.startsWith("-") !== true;
  return possibleUses(isOfResources ? words.filter((word, at) => !isResource(word, at)) : words);
}

export const SERVICE_FILES: readonly (readonly [string, UsesOf])[] = [
  ...rowsOf("aws gsutil gcloud rclone mc s3cmd s5cmd b2", sendingUses),
  ...rowsOf(
    "docker podman nerdctl",
    dotenvUses(/^compose (?:.{1,500} )?(?:config|convert)(?: |$)/),
  ),
  ["docker-compose", dotenvUses(/^(?:.{1,500} )?(?:config|convert)(?: |$)/)],
  ...rowsOf("foreman honcho forego dotenvx", dotenvUses(/^(?:run|get|decrypt)(?: |$)/)),
  ...rowsOf("dotenv dotenv-cli env-cmd nf pipenv", dotenvUses(PRINTS_ENVIRONMENT)),
  ["shdotenv", dotenvUses(/^/)],
  ["deno", denoUses],
  ["bun", bunUses],
  ...rowsOf("kubectl oc", clusterUses),
];
