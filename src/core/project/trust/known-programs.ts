// Programs and variables as far as trust needs to know them: who executes which of its words, who runs what a project says
// elsewhere, and who runs nothing of anybody's.

export interface Interpreter {
  /** Options whose value is a file that is executed as well. */
  readonly loads?: RegExp;
  /** Options whose value is a file with variables. */
  readonly variables?: RegExp;
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
  /** Its code is a line, which is read as such. */
  readonly isShell?: true;
  /** Without this option there is no script at all: `awk -f x`. */
  readonly isOnlyLoaded?: true;
}

const SHELL: Interpreter = {
  loads: /^(--rcfile|--init-file)$/,
  code: /^-[a-zA-Z]*c$/,
  isCodeLast: true,
  isShell: true,
  valued: /^[-+][a-zA-Z]*[oO]$/,
  input: /^-[a-zA-Z]*s$/,
};
const NODE: Interpreter = {
  loads: /^(-r|--require|--import|--preload|--loader|--experimental-loader)$/,
  variables: /^--env(-file(-if-exists)?)?$/,
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

/** Programs that run what files of the project say, which are looked for by these names; `*` is any further end of a name. */
const RUNNERS = `
  make gmake: GNUmakefile makefile Makefile
  just: justfile Justfile .justfile
  task: Taskfile.yml Taskfile.yaml Taskfile.dist.yml
  npm npx pnpm pnpx yarn bunx corepack npm-run-all npm-run-all2 wireit concurrently: package.json .npmrc .yarnrc.yml .pnpmfile.cjs
  turbo nx lerna moon: turbo.json nx.json lerna.json .moon/workspace.yml package.json
  eslint eslint_d xo standard: eslint.config.* .eslintrc* package.json
  prettier prettierd: prettier.config.* .prettierrc* package.json
  stylelint: stylelint.config.* .stylelintrc* package.json
  lint-staged commitlint husky semantic-release release-it changeset: lint-staged.config.* .lintstagedrc* commitlint.config.*
    .commitlintrc* release.config.* .releaserc* .release-it.* .husky/pre-commit .husky/commit-msg package.json
  vitest vite: vitest.config.* vitest.workspace.* vite.config.* package.json
  jest mocha ava tap karma cucumber-js wdio nightwatch testcafe c8 nyc: jest.config.* .mocharc* ava.config.* .taprc karma.conf.*
    cucumber.* wdio.conf.* nightwatch.conf.* .testcaferc* .nycrc* .c8rc* package.json
  playwright cypress storybook: playwright.config.* cypress.config.* cypress.json .storybook/main.*
  webpack rollup rspack parcel tsup unbuild gulp grunt: webpack.config.* rollup.config.* rspack.config.* .parcelrc
    tsup.config.* build.config.* gulpfile.* Gruntfile.* package.json
  babel swc postcss tailwindcss svgo: babel.config.* .babelrc* .swcrc postcss.config.* tailwind.config.* svgo.config.*
  next nuxt astro remix gatsby ng expo vercel wrangler netlify firebase serverless cdk: next.config.* nuxt.config.* astro.config.*
    remix.config.* gatsby-node.* gatsby-config.* angular.json app.config.* wrangler.* netlify.toml firebase.json serverless.* cdk.json package.json
  prisma drizzle-kit knex sequelize typeorm typedoc graphql-codegen knip: prisma/schema.prisma prisma.config.* drizzle.config.* knexfile.*
    .sequelizerc ormconfig.* typedoc.* codegen.* knip.* package.json
  nodemon pm2 foreman honcho overmind: nodemon.json ecosystem.config.* Procfile .env
  dotenv dotenvx env-cmd godotenv shdotenv direnv envdir chpst: .env .env.local .env-cmdrc* .envrc
  pytest tox nox invoke inv fab nose2 behave coverage: conftest.py pytest.ini pyproject.toml setup.cfg tox.ini noxfile.py tasks.py
    fabfile.py environment.py .coveragerc
  poetry uv uvx pdm hatch rye pipenv pip pip3 pipx: pyproject.toml uv.toml setup.py setup.cfg Pipfile .env
  pylint mypy flake8: pyproject.toml setup.cfg .pylintrc pylintrc mypy.ini .flake8
  sphinx-build mkdocs alembic flask django-admin gunicorn uvicorn celery scrapy snakemake ipython jupyter: conf.py mkdocs.yml alembic.ini
    .flaskenv .env wsgi.py app.py manage.py gunicorn.conf.py celeryconfig.py scrapy.cfg Snakefile
  pre-commit lefthook: .pre-commit-config.yaml lefthook.yml .lefthook.yml
  cargo cross: Cargo.toml build.rs .cargo/config.toml .cargo/config rust-toolchain.toml rust-toolchain
  go mage air golangci-lint goreleaser: go.mod go.work magefile.go .air.toml .golangci.yml .goreleaser.yaml
  mvn gradle sbt ant bazel bazelisk buck2 pants lein clojure mill: pom.xml .mvn/extensions.xml .mvn/jvm.config build.gradle build.gradle.kts
    settings.gradle settings.gradle.kts gradle.properties build.sbt build.xml BUILD BUILD.bazel WORKSPACE MODULE.bazel .bazelrc
    tools/bazel pants.toml project.clj deps.edn build.sc
  cmake ctest ninja meson scons waf xmake premake5 qmake autoreconf conan: CMakeLists.txt CMakePresets.json CTestTestfile.cmake
    build.ninja meson.build SConstruct wscript xmake.lua premake5.lua configure.ac conanfile.py
  rake bundle rspec rubocop guard cap thor jekyll irb puma: Rakefile Gemfile .bundle/config .rspec spec/spec_helper.rb .rubocop.yml
    Guardfile Capfile Thorfile _config.yml .irbrc config/puma.rb
  composer phpunit phpstan psalm pest php-cs-fixer rector: composer.json phpunit.xml phpunit.xml.dist phpstan.neon psalm.xml
    .php-cs-fixer.php rector.php
  dotnet msbuild swift mix iex rebar3 stack cabal dune zig: Directory.Build.props Directory.Build.targets Package.swift mix.exs .iex.exs
    rebar.config stack.yaml cabal.project dune-project build.zig
  docker docker-compose podman podman-compose buildah earthly act dagger tilt skaffold helm: Dockerfile Containerfile docker-compose.yml
    docker-compose.yaml compose.yaml compose.yml .env Earthfile dagger.json Tiltfile skaffold.yaml Chart.yaml
  terraform tofu pulumi packer ansible ansible-playbook vagrant: ansible.cfg Vagrantfile Pulumi.yaml
  nix nix-shell nix-build devbox mise rtx asdf: flake.nix default.nix shell.nix devbox.json mise.toml .mise.toml .tool-versions
  gdb lldb latexmk R octave: .gdbinit .lldbinit .latexmkrc latexmkrc .Rprofile .Renviron .octaverc
  entr run-parts watchexec tmux screen:
`;

export const PROJECT_RUNNERS: ReadonlyMap<string, readonly string[]> = new Map(
  RUNNERS.split(/\n {2}(?! )/).flatMap((line): [string, string[]][] => {
    const [names = "", files = ""] = line.split(":");
    const found = files.split(/\s+/).filter(Boolean).flatMap(withEndings);
    return names
      .split(/\s+/)
      .filter(Boolean)
      .map((name) => [name, found]);
  }),
);

/** `x.config.*` in every language that such a file is written in; `.xrc*` without an end, too. */
function withEndings(file: string): string[] {
  if (!file.endsWith("*")) return [file];
  const stem = file.replace(/\.?\*$/, "");
  const ends = ["js", "mjs", "cjs", "ts", "mts", "cts", "json", "yml", "yaml", "toml"];
  return [stem, ...ends.map((end) => `${stem}.${end}`)];
}

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
