// Programs that run the program named in their arguments, and how their own options are told from it.
import type { LineAssignment, ShellWord } from "../simple-command.ts";

export interface WrapperOptions {
  /** Short options that take a value. */
  readonly valued: string;
  /** Long options whose value may be the next word. */
  readonly valuedLong: readonly string[];
  /** Words of the wrapper's own before the command. */
  readonly operands: number;
  /** `NAME=value` before the command. */
  readonly takesAssignments: boolean;
  /** With one of these it runs nothing. */
  readonly idle: readonly string[];
  /** The command is handed to a shell as one line. */
  readonly joins: boolean;
  readonly takesMoreWords: boolean;
}

const DEFAULTS: WrapperOptions = {
  valued: "",
  valuedLong: [],
  operands: 0,
  takesAssignments: false,
  idle: [],
  joins: false,
  takesMoreWords: false,
};

const wrapper = (options: Partial<WrapperOptions> = {}): WrapperOptions => ({
  ...DEFAULTS,
  ...options,
});

const SUDO_LONG = [
  ...["user", "group", "host", "prompt", "close-from", "role", "type", "command-timeout"],
  ...["other-user", "chdir", "chroot"],
];
const SETPRIV_LONG = [
  ...["reuid", "regid", "ruid", "euid", "rgid", "egid", "groups", "inh-caps", "ambient-caps"],
  ...["bounding-set", "securebits", "pdeathsig", "selinux-label", "apparmor-profile"],
];
const XARGS_LONG = ["arg-file", "delimiter", "max-procs", "process-slot-var", "max-chars"];

export const WRAPPERS: ReadonlyMap<string, WrapperOptions> = new Map(
  Object.entries({
    env: wrapper({ valued: "uC", valuedLong: ["unset", "chdir"], takesAssignments: true }),
    sudo: wrapper({ valued: "ugpChrtTUDR", valuedLong: SUDO_LONG, takesAssignments: true }),
    doas: wrapper({ valued: "uC" }),
    pkexec: wrapper({ valuedLong: ["user"] }),
    command: wrapper({ idle: ["-v", "-V"] }),
    builtin: wrapper(),
    exec: wrapper({ valued: "a" }),
    time: wrapper({ valued: "of", valuedLong: ["output", "format"] }),
    nice: wrapper({ valued: "n", valuedLong: ["adjustment"] }),
    ionice: wrapper({ valued: "cn", valuedLong: ["class", "classdata"], idle: ["-p"] }),
    chrt: wrapper({ operands: 1, idle: ["-p"] }),
    taskset: wrapper({ operands: 1, idle: ["-p"] }),
    timeout: wrapper({ valued: "sk", valuedLong: ["signal", "kill-after"], operands: 1 }),
    gtimeout: wrapper({ valued: "sk", valuedLong: ["signal", "kill-after"], operands: 1 }),
    nohup: wrapper(),
    stdbuf: wrapper({ valued: "ioe", valuedLong: ["input", "output", "error"] }),
    unbuffer: wrapper(),
    setsid: wrapper(),
    chroot: wrapper({ operands: 1 }),
    unshare: wrapper({ valued: "SGRw" }),
    setpriv: wrapper({ valuedLong: SETPRIV_LONG }),
    prlimit: wrapper({ idle: ["-p", "--pid"] }),
    choom: wrapper({ valued: "n", valuedLong: ["adjust"], idle: ["-p"] }),
    linux64: wrapper(),
    linux32: wrapper(),
    numactl: wrapper({ valued: "iNCmplf" }),
    nsenter: wrapper({ valued: "tSGW", valuedLong: ["target", "setuid", "setgid"] }),
    fakeroot: wrapper({ valued: "lsibc" }),
    chronic: wrapper(),
    eatmydata: wrapper(),
    "ssh-agent": wrapper({ valued: "aEOPt" }),
    "systemd-inhibit": wrapper(),
    "dbus-run-session": wrapper({ valuedLong: ["config-file", "dbus-daemon"] }),
    "xvfb-run": wrapper({ valued: "efnpsw" }),
    valgrind: wrapper(),
    caffeinate: wrapper({ valued: "tw" }),
    arch: wrapper(),
    noglob: wrapper(),
    nocorrect: wrapper(),
    "-": wrapper(),
    busybox: wrapper(),
    xargs: wrapper({ valued: "aEdILnPsJRS", valuedLong: XARGS_LONG, takesMoreWords: true }),
    parallel: wrapper({ valued: "jIaNnLPSsdCE", joins: true, takesMoreWords: true }),
    watch: wrapper({ valued: "nq", valuedLong: ["interval", "equexit"], joins: true }),
    strace: wrapper({ valued: "aeEoOpPsSuUIbX" }),
    ltrace: wrapper({ valued: "aeolnpsuFwx" }),
    flock: wrapper({ valued: "wE", valuedLong: ["timeout", "conflict-exit-code"], operands: 1 }),
    ssh: wrapper({ valued: "BbcDEeFIiJLlmOopQRSWw", operands: 1, joins: true }),
    "cross-env": wrapper({ takesAssignments: true }),
    npx: wrapper({ valued: "pw", valuedLong: ["package", "workspace"] }),
    bunx: wrapper(),
  }),
);

/** `npm exec git`: the words behind its name make it a wrapper. */
export const RUNNERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    npm: ["exec", "x"],
    pnpm: ["exec", "dlx"],
    yarn: ["exec", "dlx"],
    bun: ["x"],
    uv: ["run", "tool run"],
    pipx: ["run"],
    asdf: ["exec"],
    gem: ["exec"],
    brew: ["bundle exec"],
    gh: ["codespace ssh", "cs ssh"],
    poetry: ["run"],
    pipenv: ["run"],
    pdm: ["run"],
    hatch: ["run"],
    bundle: ["exec"],
    mise: ["exec", "x"],
  }),
);
export const RUNNER_OPTIONS: WrapperOptions = wrapper({
  valued: "pwC",
  valuedLong: [
    "with",
    "with-requirements",
    "from",
    "python",
    "package",
    "extra",
    "group",
    "env-file",
  ],
});

export const SHELLS: ReadonlySet<string> = new Set([
  ...["sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "fish", "rbash", "yash"],
]);

/** Variables whose value is itself a command line. */
export const COMMAND_VARIABLES: ReadonlySet<string> = new Set([
  ...["PAGER", "GIT_PAGER", "MANPAGER", "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR"],
  ...["GIT_SSH_COMMAND", "GIT_SSH", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "SSH_ASKPASS"],
  ...["GIT_PROXY_COMMAND", "PROMPT_COMMAND", "BROWSER", "LESSOPEN", "LESSCLOSE"],
  ...[
    "GH_PAGER",
    "GH_BROWSER",
    "GH_EDITOR",
    "BAT_PAGER",
    "SYSTEMD_PAGER",
    "PSQL_PAGER",
    "AWS_PAGER",
    "DELTA_PAGER",
    "SVN_EDITOR",
    "KUBE_EDITOR",
    "FCEDIT",
    "SUDO_EDITOR",
    "SUDO_ASKPASS",
    "RSYNC_RSH",
    "KUBECTL_EXTERNAL_DIFF",
    "FZF_DEFAULT_COMMAND",
  ],
]);

/** Variables that put other programs, files or settings in the place of those that are named. */
export const DIVERTING_NAMES =
  /^(PATH|LD_\w+|DYLD_\w+|GCONV_PATH|LOCPATH|NLSPATH|BASH_ENV|ENV|ZDOTDIR|SHELLOPTS|BASHOPTS|BASH_\w+|IFS|CDPATH|HOME|PS[0-4]|PROMPT_COMMAND|POSIXLY_CORRECT|TMPDIR|XDG_\w+|GIT_\w+|SSH_\w+|\w*PAGER|EDITOR|VISUAL|BROWSER|LESS\w*|MORE|MAN\w+|PYTHON\w+|NODE_(OPTIONS|PATH|REPL\w*|EXTRA\w*)|NPM_\w+|npm_\w+|PERL\w*|RUBY\w+|GEM_\w+|BUNDLE_\w+|JAVA_\w+|JDK_\w+|_JAVA_OPTIONS|CLASSPATH|CARGO\w*|RUST(C|UP|DOC)\w*|GO[A-Z]+|AWK\w+|GREP_OPTIONS|RIPGREP_CONFIG_PATH|BAT_\w+|FZF_\w+|TAR_OPTIONS|RSYNC_\w+|DOCKER_\w+|EXINIT|VIMINIT|TERMINFO\w*|TERMCAP|HISTFILE|MAKE\w*|GNUMAKEFLAGS|LUA_\w+|PHP\w+|KUBECONFIG|TZDIR|INPUTRC|MAIL\w*|EXECIGNORE|FPATH|fpath|path|FCEDIT|OPENSSL_\w+|CURL_HOME|WGETRC|JQ_\w+)$/;

/** Given to a program, these change only how it looks and sounds. */
export const HARMLESS_VARIABLES =
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR(_FORCE)?|CI|DEBUG|NODE_ENV|RUST_BACKTRACE|RUST_LOG|GIT_OPTIONAL_LOCKS|GIT_TERMINAL_PROMPT|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|BLOCKSIZE|GREP_COLORS?|LS_COLORS|TIMEFORMAT|SYSTEMD_PAGER)$/;

/** Variables that name a program, and what may be put there without harm. */
const NO_PROGRAM = /^(cat|true|:|false|)$/;

/** Whether an assignment may make a program do something else; `PAGER=cat` is written to be sure that none starts. */
export function divertsPrograms({ name, value }: LineAssignment): boolean {
  if (COMMAND_VARIABLES.has(name) && value.kind === "literal" && NO_PROGRAM.test(value.text))
    return false;
  return DIVERTING_NAMES.test(name) && !HARMLESS_VARIABLES.test(name);
}

interface WrapperReading {
  /** From the command word on; empty where there is none. */
  readonly rest: readonly ShellWord[];
  readonly options: readonly string[];
  readonly assignments: readonly LineAssignment[];
}

/** A function that is handed on has more signs in its name. */
const ASSIGNMENT = /^([A-Za-z_]\w*(?:%%|\(\))?)=(.*)$/s;

/** Passes over what belongs to the wrapper itself. The first word is the wrapper. */
export function skipOptions(words: readonly ShellWord[], rule: WrapperOptions): WrapperReading {
  const options: string[] = [];
  let index = 1;
  for (let word = words[index]; word !== undefined; word = words[index]) {
    if (!/^[-+]./.test(word.text)) break;
    index++;
    if (word.text === "--") break;
    options.push(word.text);
    if (takesNextWord(word.text, rule)) index++;
  }
  return { ...skipOperands(words.slice(index), rule), options };
}

function skipOperands(
  words: readonly ShellWord[],
  rule: WrapperOptions,
): Pick<WrapperReading, "rest" | "assignments"> {
  const rest = words.slice(rule.operands);
  const assignments: LineAssignment[] = [];
  if (!rule.takesAssignments) return { rest, assignments };
  let index = 0;
  for (; ; index++) {
    const word = rest[index];
    const match = word === undefined ? null : ASSIGNMENT.exec(word.text);
    if (word === undefined || match === null) break;
    const value: ShellWord = { text: match[2] ?? "", kind: word.kind };
    assignments.push({ name: match[1] ?? "", value });
  }
  return { rest: rest.slice(index), assignments };
}

function takesNextWord(option: string, { valued, valuedLong }: WrapperOptions): boolean {
  if (option.startsWith("--")) {
    const name = option.slice(2);
    // GNU programs accept a long option cut short.
    return !name.includes("=") && valuedLong.some((known) => known.startsWith(name));
  }
  const at = [...option.slice(1)].findIndex((letter) => valued.includes(letter));
  return at !== -1 && at === option.length - 2;
}
