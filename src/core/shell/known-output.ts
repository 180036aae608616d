// What a shell is told to run by a program that everybody has in their start-up files: `eval "$(ssh-agent -s)"`. Its lines
// set variables and functions of that program, as those of a file that is sourced do.

const PROGRAMS = [
  // Behind its options stands a program that it would run.
  "ssh-agent(?=(?: -[a-zA-Z]{1,3}| \\d{1,9}[smhdw]?){0,6}\\s?[)`])",
  ...["dircolors", "brew shellenv", "fnm env", "opam env", "keychain --eval", "luarocks path"],
  ...["direnv (?:hook|export)", "(?:rb|py|nod|j|go|ph|pl)env (?:virtualenv-)?init"],
  ...[
    "conda shell\\.\\w{1,20} hook",
    "(?:micro)?mamba shell hook",
    "(?:mise|rtx) (?:activate|env|hook-env)",
  ],
  ...["(?:starship|zoxide|atuin|oh-my-posh) init", "minikube docker-env", "docker-machine env"],
  "(?:kubectl|helm|gh|glab|docker|npm|pnpm|pip3?|deno|minikube|kind|k3d|flux|rustup|just|poetry) completions?",
].join("|");

/** Plain words only: a substitution, a pipe or another command may print anything. */
const KNOWN = new RegExp(
  `^(?:\\$\\(|<\\(|\`)\\s?(?:${PROGRAMS})(?: [\\w./=@:,+-]{1,80}){0,8}\\s?(?:\\)|\`)$`,
);

export const isKnownOutput = (text: string): boolean => KNOWN.test(text);

/** By a function, an alias or another search path the same name is another program. */
const REDEFINES =
  /\(\s*\)|\b(?:function|functions|alias|aliases|hash|enable|PATH|BASH_ENV)\b|\\[xu0-7]|(?:^|[\s;&|])\.\s/;

/** Whether a program that is known by its name may be somebody else's in this line. */
export const mayRedefine = (line: string): boolean => REDEFINES.test(line);
