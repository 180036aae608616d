// Programs and variables as far as trust needs to know them: who executes which of its words, who runs what a project says
// elsewhere, and who runs nothing of anybody's.

export interface Interpreter {
  /** Options whose value is a file that is executed as well. */
  readonly loads?: RegExp;
  /** Options whose value is a file, or a word, that says what else is loaded. */
  readonly settings?: RegExp;
  /** After these comes code, and no script. */
  readonly code?: RegExp;
  /** Behind its code come arguments, no options. */
  readonly isCodeLast?: true;
  /** Options that take the next word for something else. */
  readonly valued?: RegExp;
  /** What runs a module, a task or tests by name. */
  readonly named?: RegExp;
  /** An option that begins so names a folder in which modules are looked for first. */
  readonly folders?: readonly string[];
  /** With this the script comes by the standard input, and words are its arguments. */
  readonly input?: RegExp;
  /** `deno run x.ts`. */
  readonly subcommands?: RegExp;
  /** Without this option there is no script at all: `awk -f x`. */
  readonly isOnlyLoaded?: true;
}

const SHELL: Interpreter = {
  loads: /^(--rcfile|--init-file)$/,
  code: /^-[a-zA-Z]*c$/,
  isCodeLast: true,
  valued: /^[-+][a-zA-Z]*[oO]$/,
  input: /^-[a-zA-Z]*s$/,
};
const NODE: Interpreter = {
  loads:
    /^(-r|--require|--import|--preload|--loader|--experimental-loader|--env-file(-if-exists)?)$/,
  settings: /^--(experimental-(default-)?config-file|experimental-package-map|openssl-config)$/,
  code: /^(-e|-p|-pe|--eval|--print)$/,
  // Of Node 24 all that `node --help` shows with a value, then those of ts-node and tsx.
  valued:
    /^(-[CPOID]|--(conditions|input-type|max-old-space-size|title|allow-fs-(read|write)|(cpu|heap)-prof-(dir|interval|name)|diagnostic-dir|disable-(proto|warning)|dns-result-order|heapsnapshot-(near-heap-limit|signal)|icu-data-dir|inspect-(port|publish-uid)|debug-port|localstorage-file|max-http-header-size|max-old-space-size-percentage|network-family-autoselection-attempt-timeout|redirect-warnings|report-(dir|directory|filename|signal)|secure-heap(-min)?|test-(concurrency|coverage-\w+|name-pattern|random-seed|reporter-destination|rerun-failures|shard|skip-pattern|timeout)|tls-(cipher-list|keylog)|tls-m(in|ax)-v[\d.]+|trace-event-(categories|file-pattern)|trace-require-module|unhandled-rejections|use-largepages|watch-(kill-signal|path)|tsconfig|project|compiler-options|ignore|ignore-diagnostics|cwd))$/,
  named: /^--(test|run)$/,
  subcommands: /^(watch|inspect)$/,
};
const PERL: Interpreter = {
  code: /^-[a-zA-Z]*[eE]$/,
  valued: /^-C$/,
  folders: ["-I", "-Mlib", "-cp", "-classpath", "--classpath"],
};
const AWK: Interpreter = { loads: /^(-f|--file|-i|--include|-E|--exec)$/, isOnlyLoaded: true };
const FILTER: Interpreter = {
  loads: /^(-f|--file|--from-file)$/,
  folders: ["-L"],
  isOnlyLoaded: true,
};

export const SCRIPT_INTERPRETERS: readonly (readonly [RegExp, Interpreter])[] = [
  [/^(ba|da|z|k|mk|a|fi|rba|ya)?sh$/, SHELL],
  [/^(node|nodejs|tsx|ts-node|esno|jiti|babel-node|swc-node)$/, NODE],
  [
    /^(deno|bun)$/,
    {
      ...NODE,
      settings: /^(-c|--config|--import-map|--tsconfig-override|--define|-d)$/,
      code: /^(-e|-p|--eval|--print|eval|repl)$/,
      valued: /^(--cwd|--filter|--location|--seed|--log-level|-L|--cert|--ext|--lock|--v8-flags)$/,
      named: /^(task|test|x|bench|install|compile)$/,
      subcommands: /^(run|serve|watch)$/,
    },
  ],
  [
    /^(python|pypy)[\d.]*$/,
    {
      code: /^-[a-zA-Z]*c$/,
      isCodeLast: true,
      valued: /^-[WX]$/,
      named: /^-[bBdEhiIOPqsSuvx]*m/,
    },
  ],
  [/^(ruby|jruby)[\d.]*$/, { ...PERL, loads: /^-r$/ }],
  [/^perl[\d.]*$/, PERL],
  [
    /^php[\d.]*$/,
    {
      loads: /^(-[fFz]|--file|--process-file)$/,
      settings: /^(-[dc]|--define|--php-ini)$/,
      code: /^-r$/,
      valued: /^(-[StBRE]|--server|--docroot|--process-(begin|code|end))$/,
    },
  ],
  [/^(lua|luajit)[\d.]*$/, { loads: /^-l$/, code: /^-e$/ }],
  [/^pwsh$/, { loads: /^-(File|f)$/i, code: /^-(Command|c|EncodedCommand|e)$/i }],
  [/^(Rscript|julia|elixir|groovy|osascript|tclsh|wish|expect|guile|racket|bats)$/, PERL],
  [/^[gmn]?awk$/, AWK],
  [/^(g?sed|jq|gojq|jaq|yq)$/, FILTER],
];

/** Programs that run what files of the project say, which are looked for by these names. */
export const PROJECT_RUNNERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    make: ["GNUmakefile", "makefile", "Makefile"],
    gmake: ["GNUmakefile", "makefile", "Makefile"],
    just: ["justfile", "Justfile", ".justfile"],
    task: ["Taskfile.yml", "Taskfile.yaml"],
    npm: ["package.json"],
    npx: ["package.json"],
    pnpm: ["package.json"],
    pnpx: ["package.json"],
    yarn: ["package.json"],
    bunx: ["package.json"],
    corepack: ["package.json"],
    turbo: ["turbo.json"],
    nx: ["nx.json"],
    lerna: ["lerna.json"],
    eslint: ["eslint.config.js", "eslint.config.mjs", ".eslintrc.js", ".eslintrc.cjs"],
    prettier: ["prettier.config.js", "prettier.config.mjs"],
    vitest: ["vitest.config.ts", "vite.config.ts"],
    vite: ["vite.config.ts", "vite.config.js"],
    jest: ["jest.config.js", "jest.config.ts"],
    mocha: [".mocharc.js", ".mocharc.cjs"],
    webpack: ["webpack.config.js"],
    rollup: ["rollup.config.js", "rollup.config.mjs"],
    gulp: ["gulpfile.js"],
    grunt: ["Gruntfile.js"],
    playwright: ["playwright.config.ts"],
    cypress: ["cypress.config.ts", "cypress.config.js"],
    nodemon: ["nodemon.json"],
    concurrently: [],
    "npm-run-all": ["package.json"],
    pytest: ["conftest.py", "pytest.ini", "pyproject.toml", "setup.cfg"],
    tox: ["tox.ini"],
    nox: ["noxfile.py"],
    invoke: ["tasks.py"],
    poetry: ["pyproject.toml"],
    uv: ["pyproject.toml"],
    uvx: ["pyproject.toml"],
    pdm: ["pyproject.toml"],
    hatch: ["pyproject.toml"],
    pipenv: ["Pipfile"],
    pip: ["setup.py", "pyproject.toml"],
    "pre-commit": [".pre-commit-config.yaml"],
    lefthook: ["lefthook.yml"],
    cargo: ["Cargo.toml", "build.rs"],
    go: ["go.mod"],
    mvn: ["pom.xml"],
    gradle: ["build.gradle", "build.gradle.kts"],
    sbt: ["build.sbt"],
    ant: ["build.xml"],
    bazel: ["BUILD", "BUILD.bazel"],
    cmake: ["CMakeLists.txt"],
    ninja: ["build.ninja"],
    meson: ["meson.build"],
    rake: ["Rakefile"],
    bundle: ["Gemfile"],
    composer: ["composer.json"],
    dotnet: [],
    mix: ["mix.exs"],
    swift: ["Package.swift"],
    docker: ["Dockerfile", "docker-compose.yml", "compose.yaml"],
    "docker-compose": ["docker-compose.yml", "compose.yaml"],
    podman: ["Containerfile", "Dockerfile"],
    terraform: [],
    ansible: [],
    "ansible-playbook": [],
    vagrant: ["Vagrantfile"],
    nix: ["flake.nix"],
    direnv: [".envrc"],
    entr: [],
    "run-parts": [],
    watchexec: [],
    tmux: [],
    screen: [],
  }),
);

/** Shell words and small programs that run no file of anybody's: to name them would only be noise. */
export const PLAIN_PROGRAMS = new Set(
  `: [ [[ alias basename bg break cat cd chmod cksum clear cmp column comm continue cp cut date declare df diff dirname
  du echo egrep exit expand export expr false fg fgrep file fold getopts grep groups gunzip gzip hash head hexdump
  hostname id install join jobs kill let ln local logname ls md5sum mkdir mktemp mv nl nproc od paste popd printenv
  printf ps pushd pwd read readlink readonly realpath return rev rg rm rmdir seq set sha1sum sha256sum shift shopt shuf
  sleep sort split stat stty sum sync tac tail tee test touch tput tr trap true tsort tty type typeset umask unalias
  uname unexpand uniq unlink unset users wait wc which who whoami yes zcat adj`.split(/\s+/),
);

/** Variables by which other files are loaded than those that are named. */
export const LOADING_VARIABLES =
  /^(LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_\w+|BASH_ENV|ENV|PROMPT_COMMAND|PATH|CDPATH|NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|PYTHONBREAKPOINT|PYTHONWARNINGS|PERL5LIB|PERL5OPT|PERLLIB|RUBYOPT|RUBYLIB|LUA_PATH|LUA_INIT|CLASSPATH|JAVA_TOOL_OPTIONS|GIT_\w+|MAKEFILES|MAKEFLAGS|AWKPATH|GCONV_PATH|HOME|ZDOTDIR|XDG_CONFIG_HOME|LESSOPEN|LESSCLOSE|PYTHONUSERBASE|PERL5DB|npm_config_\w+|NPM_CONFIG_\w+|RUSTC|RUSTC_\w*WRAPPER|CARGO_HOME|GOFLAGS|GOENV|BUNDLE_GEMFILE|GEM_HOME|GEM_PATH|TCLLIBPATH|VIMINIT|EXINIT|SSH_ASKPASS|PS4)$/;
