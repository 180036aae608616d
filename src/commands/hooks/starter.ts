/** What `adj hooks init` writes: guards that most people want, each to be kept, changed or removed. */
export const STARTER = `# Guards for coding agents. Look at the outcome with \`adj hooks list\`, try one with
#   adj hooks test before_tool --command 'git push --force'
# All builtins: \`adj hooks builtins\`. A program of your own: \`run: { argv: [./my-guard] }\`.
adjutant: 1
hooks:
  # Git commands that lose work, however they are written: behind \`sudo\`, in \`sh -c\`, by an alias.
  - name: no-lost-work
    on: before_tool
    match: { kind: shell }
    run:
      builtin: git
      with:
        forbid: [force-push, mirror, delete-remote, reset-hard, clean, rewrite-history, hidden]

  # Keys and tokens neither in files nor in commits.
  - name: no-secrets
    on: before_tool
    run: { builtin: no-secrets }

  # What an agent may not read, and what only its own tool may change.
  - name: secret-files
    on: before_tool
    run:
      builtin: protect-paths
      with: { paths: ["**/.env", "**/.env.*", ~/.ssh, ~/.aws], except: ["**/.env.example"] }
  - name: lock-files
    on: before_tool
    run:
      builtin: protect-paths
      with:
        paths: ["**/package-lock.json", "**/pnpm-lock.yaml", "**/yarn.lock", "**/Cargo.lock"]
        access: [write]
        reason: let the package manager write it

  # A person is asked first; agents that cannot ask refuse. Add the hosts that need no question.
  - name: ask-network
    on: before_tool
    run: { builtin: ask-network, with: { hosts: [localhost, 127.0.0.1] } }

  # While it fails the agent goes on, three times at most. Name your tests, then switch it on.
  - name: tests-before-stop
    on: before_turn_end
    run: { builtin: tests-before-stop, with: { argv: [npm, test] } }
    timeout: 50s
    enabled: false
`;
