// A command as a rule means it: without the options that stand between a program and its word. `git -C x push` is
// `git push`, `docker -H y rm z` is `docker rm z`.
import { basename } from "node:path";
import { readGitCall } from "../../core/shell/git-call.ts";
import {
  joinShellWords,
  type ShellWord,
  type SimpleCommand,
} from "../../core/shell/simple-command.ts";
import { gitForms, gitInOrderOf } from "./git-form.ts";
import { inOrderOf } from "./option-order.ts";

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const MAKE = list("-C --directory -f --file -I -o -W");

/** Programs with a word of their own, and which of the options before it take the next one. */
const PROGRAMS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    docker: list("-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey"),
    podman: list("-c --connection --url --identity --log-level --root --runroot --storage-driver"),
    "docker-compose": list("-f --file -p --project-name --profile --env-file --project-directory"),
    kubectl: list(
      "-n --namespace --context --kubeconfig -s --server --user --cluster --as --token -v --request-timeout --cache-dir",
    ),
    helm: list("-n --namespace --kube-context --kubeconfig --registry-config --repository-config"),
    npm: list("--prefix -C -w --workspace --loglevel --registry --userconfig --cache"),
    pnpm: list("-C --dir -F --filter --loglevel --registry"),
    yarn: list("--cwd --registry"),
    bun: list("--cwd -c --config"),
    cargo: list("--config -Z -C --color --manifest-path"),
    go: list("-C"),
    systemctl: list("-H --host -M --machine -t --type -p --property -n --lines -o --output"),
    terraform: list("-chdir"),
    gh: list("-R --repo --hostname"),
    glab: list("-R --repo"),
    aws: list("--profile --region --output --endpoint-url --query --color --cli-read-timeout"),
    gcloud: list("--project --account --configuration --format --verbosity --zone --region"),
    az: list("--subscription -g --resource-group -o --output --query"),
    pip: list("--log --python --proxy --cache-dir --index-url -i"),
    pip3: list("--log --python --proxy --cache-dir --index-url -i"),
    uv: list("--project --directory -p --python --config-file --cache-dir --color"),
    poetry: list("-C --directory -P --project"),
    ...{ make: MAKE, gmake: MAKE, just: list("-f --justfile -d --working-directory") },
    ...{
      task: list("-d --dir -t --taskfile"),
      gradle: list("-p --project-dir -b -c -I"),
      mvn: list("-f -pl -P -s"),
    },
    "apt-get": list("-o -c -t"),
    apt: list("-o -c -t"),
    brew: list(""),
    svn: list("--config-dir --username --password"),
    hg: list("-R --repository --cwd --config"),
    jj: list("-R --repository --config --at-op"),
  }),
);

const NONE: ReadonlySet<string> = new Set();
const MAX_FORMS = 8;

/** The texts that a restricting rule is tried on besides the typed one; more than one where an option is not known. */
export function normalForms(command: SimpleCommand, globs: readonly string[]): string[] {
  const forms = [command, ...underOtherNames(command, globs)].flatMap((each) => [
    each.words,
    ...wordForms(each),
  ]);
  const ordered = globs.flatMap((glob) => [
    ...forms.flatMap((words) => inOrderOf(glob, words) ?? []),
    ...[gitInOrderOf(glob, command) ?? []].flat(),
  ]);
  // `xargs rm` has more words when it runs.
  const more = command.takesMoreWords ? [`${command.text} {}`] : [];
  return [...more, ...forms.slice(1).map(joinShellWords), ...ordered];
}

/** `pip3.12` is `pip`, `./gradlew` is `gradle` and `docker-compose` is `docker compose`, also the other way about; but a rule
 * on `gradle *` says which of them to use. */
function underOtherNames(command: SimpleCommand, globs: readonly string[]): SimpleCommand[] {
  const [first, ...rest] = command.words;
  if (first === undefined || first.kind !== "literal") return [];
  const plain = plainName(first.text);
  const isCompose = plain === "docker" && rest[0]?.text === "compose";
  const wanted = new Set(globs.map((glob) => /^[\w.-]+(?= [\w-])/.exec(glob)?.[0] ?? ""));
  const others = [...wanted].flatMap((name): ShellWord[][] => {
    if (name === "docker" && plain === "docker-compose")
      return [[word(name), word("compose"), ...rest]];
    if (name === "docker-compose" && isCompose) return [[word(name), ...rest.slice(1)]];
    return name !== first.text && plainName(name) === plain ? [[word(name), ...rest]] : [];
  });
  return others.map((words) => ({ ...command, words }));
}

/** Without its folder and its version; a project's wrapper and GNU's prefix stand for the program itself. */
const plainName = (program: string): string => {
  const name = basename(program).replace(/(?<=^(?:pip|python|ruby|node))[\d.]+$/, "");
  return OTHER_NAMES[name] ?? name;
};

const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{ gmake: "make", grm: "rm", gcp: "cp", gmv: "mv", mvnw: "mvn", gradlew: "gradle" },
  ...{ tofu: "terraform", yarnpkg: "yarn", nodejs: "node", fly: "flyctl" },
};

function wordForms(command: SimpleCommand): ShellWord[][] {
  const git = readGitCall(command);
  if (git !== null) return gitForms(git);
  const [program, ...rest] = command.words;
  const valued = PROGRAMS.get(program?.text ?? "") ?? NONE;
  if (program === undefined) return [];
  const name = program.text === "gmake" ? word("make") : program;
  const forms = findVerbs(rest, valued).map((at) => rest.slice(at));
  const written = [...forms, ...forms.slice(0, 1).flatMap((words) => shorterForms(words, valued))];
  return [
    ...written,
    ...written.flatMap((words) => fullVerbs(name.text, words)),
    ...targetsOf(name.text, forms[0] ?? [], valued),
    ...written.flatMap((words) => scriptForms(name.text, words)),
  ]
    .map((words) => [name, ...words])
    .concat(RUNS_PROGRAMS.test(name.text) ? written.map(withoutRunner) : []);
}

/** `docker container run` is `docker run`, and `aws s3 --profile p rm` is `aws s3 rm`. */
function shorterForms(words: readonly ShellWord[], valued: ReadonlySet<string>): ShellWord[][] {
  const [group, ...rest] = words;
  if (group === undefined) return [];
  const isGroup =
    group.text === "container" ||
    (group.text === "image" &&
      /^(push|pull|build|tag|save|load|import)$/.test(rest[0]?.text ?? ""));
  return [
    ...(isGroup ? [rest] : []),
    ...inWorkspaces(words, valued),
    // Nobody needs to know the group's own options: `docker compose -f a.yml down`.
    ...findVerbs(rest, valued)
      .filter((at) => at > 0)
      .map((at) => [group, ...rest.slice(at)]),
  ];
}

const RUNS_PROGRAMS = /^(pnpm|yarn|bun)$/;

/** `pnpm -r exec npm publish` and `yarn prisma migrate` run a program of the project. */
const withoutRunner = ([verb, ...rest]: readonly ShellWord[]): ShellWord[] =>
  verb === undefined ? [] : /^(exec|dlx|x|run)$/.test(verb.text) ? rest : [verb, ...rest];

/** `yarn deploy` is `yarn run deploy`. */
const scriptForms = (program: string, words: readonly ShellWord[]): ShellWord[][] =>
  !RUNS_PROGRAMS.test(program)
    ? []
    : [words[0]?.text === "run" ? words.slice(1) : [word("run"), ...words]];

/** `yarn workspace a npm publish`, `pnpm recursive publish`. */
function inWorkspaces(words: readonly ShellWord[], valued: ReadonlySet<string>): ShellWord[][] {
  const [group, ...rest] = words;
  if (group?.text === "workspace") return [rest.slice(1)];
  if (!/^(workspaces|recursive)$/.test(group?.text ?? "")) return [];
  const each = rest[0]?.text === "foreach" ? rest.slice(1) : rest;
  return findVerbs(each, valued).map((at) => each.slice(at));
}

/** `npm pub` is `npm publish`, `gh release new` is `gh release create`. */
function fullVerbs(program: string, words: readonly ShellWord[]): ShellWord[][] {
  const at = /^(gh|glab)$/.test(program) ? 1 : 0;
  const verb = words[at]?.text ?? "";
  const short = SHORT_VERBS[program] ?? {};
  const full = Object.hasOwn(short, verb) ? short[verb]?.split(" ") : undefined;
  // What npm has no command for it takes for the beginning of one.
  const begun =
    program === "npm" && full === undefined && verb.length > 1
      ? NPM_VERBS.filter((each) => each.startsWith(verb) && each !== verb)
      : [];
  return [...(full ?? []), ...begun].map((each) => words.with(at, word(each)));
}

const INSTALLING = { i: "install add", a: "add", up: "update", rm: "remove", un: "remove" };

/** Verbs by their other names. */
const SHORT_VERBS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  npm: {
    ...{ i: "install", in: "install", add: "install", it: "install test", t: "test", x: "exec" },
    ...{
      un: "uninstall",
      r: "uninstall",
      rm: "uninstall",
      remove: "uninstall",
      unlink: "uninstall",
    },
    ...{
      up: "update",
      upgrade: "update",
      c: "config",
      ln: "link",
      rum: "run",
      "run-script": "run",
      urn: "run",
      set: "config",
    },
    ...{ author: "owner", "dist-tags": "dist-tag", v: "view", info: "view", show: "view" },
    ...{ "clean-install": "ci", ic: "ci", "install-clean": "ci" },
  },
  ...{ pnpm: INSTALLING, bun: INSTALLING, yarn: { up: "upgrade", upgrade: "up" } },
  cargo: { b: "build", c: "check", d: "doc", r: "run", t: "test", rm: "remove" },
  ...{ gh: { new: "create", co: "checkout" }, glab: { new: "create", del: "delete" } },
  helm: { delete: "uninstall", del: "uninstall", un: "uninstall", ls: "list" },
  brew: { rm: "uninstall", remove: "uninstall", ls: "list" },
};

const NPM_VERBS: readonly string[] = [
  ..."access adduser deprecate dist-tag install link login logout owner pack publish".split(" "),
  ..."rebuild restart start stop team test token uninstall unpublish update version".split(" "),
];

/** `make build deploy` is `make deploy` as well, and so is `make X=1 deploy`. */
function targetsOf(
  program: string,
  words: readonly ShellWord[],
  valued: ReadonlySet<string>,
): ShellWord[][] {
  if (!/^(make|just|task|gradle|mvn)$/.test(program)) return [];
  const targets = words.filter(
    ({ text }, index) => !/^-|^\w+[:+?]*=/.test(text) && !valued.has(words[index - 1]?.text ?? ""),
  );
  return targets.slice(0, MAX_FORMS).map((target) => [target]);
}

const word = (text: string): ShellWord => ({ text, kind: "literal" });

/** Where the word may stand: behind an option that nobody knows it may be that option's value. */
function findVerbs(words: readonly ShellWord[], valued: ReadonlySet<string>): number[] {
  const found: number[] = [];
  for (let index = 0; index < words.length && found.length < MAX_FORMS; index++) {
    const text = words[index]?.text ?? "";
    if (/^[-+]./.test(text)) {
      if (valued.has(text)) index++;
      continue;
    }
    found.push(index);
    if (!/^-/.test(words[index - 1]?.text ?? "") || index === 0) break;
  }
  return found;
}
