// Programs that run the program named in their arguments, and how their own options are told from it.

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

/** `npm exec git`: the second word makes it a wrapper. */
export const RUNNERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    npm: ["exec", "x"],
    pnpm: ["exec", "dlx"],
    yarn: ["exec", "dlx"],
    bun: ["x"],
    uv: ["run"],
    poetry: ["run"],
    pipenv: ["run"],
    pdm: ["run"],
    hatch: ["run"],
    bundle: ["exec"],
    mise: ["exec", "x"],
  }),
);
export const RUNNER_OPTIONS: WrapperOptions = wrapper({ valued: "pwC" });

export const SHELLS: ReadonlySet<string> = new Set([
  ...["sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "fish", "rbash", "yash"],
]);

/** Variables whose value is itself a command line. */
export const COMMAND_VARIABLES: ReadonlySet<string> = new Set([
  ...["PAGER", "GIT_PAGER", "MANPAGER", "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR"],
  ...["GIT_SSH_COMMAND", "GIT_SSH", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "SSH_ASKPASS"],
  ...["GIT_PROXY_COMMAND", "PROMPT_COMMAND", "BROWSER", "LESSOPEN", "LESSCLOSE"],
]);

/** Variables that put other programs, files or settings in the place of those that are named. */
export const DIVERTING_VARIABLES =
  /^(LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_\w+|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|GIT_CONFIG\w*|GIT_EXEC_PATH|GIT_TEMPLATE_DIR)$/;
