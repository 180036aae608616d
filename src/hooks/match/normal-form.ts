// A command as a rule means it: without the options that stand between a program and its word. `git -C x push` is
// `git push`, `docker -H y rm z` is `docker rm z`.
import { readGitCall } from "../../core/shell/git-call.ts";
import {
  joinShellWords,
  type ShellWord,
  type SimpleCommand,
} from "../../core/shell/simple-command.ts";

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

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
    make: list("-C --directory -f --file -I -o -W"),
    "apt-get": list("-o -c -t"),
    apt: list("-o -c -t"),
    brew: list(""),
    svn: list("--config-dir --username --password"),
    hg: list("-R --repository --cwd --config"),
    jj: list("-R --repository --config --at-op"),
  }),
);

const MAX_FORMS = 8;

/** The texts that a restricting rule is tried on besides the typed one; more than one where an option is not known. */
export function normalForms(command: SimpleCommand): string[] {
  const git = readGitCall(command);
  if (git !== null)
    return git.subcommand === null
      ? []
      : [joinShellWords([word("git"), word(git.subcommand), ...git.args])];
  const [program, ...rest] = command.words;
  const valued = program === undefined ? undefined : PROGRAMS.get(program.text);
  if (program === undefined || valued === undefined) return [];
  const forms = findVerbs(rest, valued).map((at) => rest.slice(at));
  return [...forms, ...forms.slice(0, 1).flatMap((words) => shorterForms(words, valued))].map(
    (words) => joinShellWords([program, ...words]),
  );
}

/** `docker container run` is `docker run`, and `aws s3 --profile p rm` is `aws s3 rm`. */
function shorterForms(words: readonly ShellWord[], valued: ReadonlySet<string>): ShellWord[][] {
  const [group, ...rest] = words;
  const at = findVerbs(rest, valued)[0] ?? 0;
  return [
    ...(group?.text === "container" ? [rest] : []),
    ...(group !== undefined && at > 0 ? [[group, ...rest.slice(at)]] : []),
  ];
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
