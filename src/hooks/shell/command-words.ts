// Questions about the words behind a command word.

/** `-rf` has `r` and `f`; `--recursive` may be cut short as GNU programs allow. */
export function hasFlag(args: readonly string[], letters: string, ...names: string[]): boolean {
  for (const arg of args) {
    if (arg === "--") return false;
    if (arg.startsWith("--")) {
      const name = arg.slice(2).split("=", 1)[0] ?? "";
      if (name !== "" && names.some((known) => known.startsWith(name))) return true;
    } else if (/^-./.test(arg) && [...letters].some((letter) => arg.includes(letter))) return true;
  }
  return false;
}

export const operandsOf = (args: readonly string[]): string[] =>
  args.filter((arg) => !/^-./.test(arg));

/** `-n` and `--dry-run` where git reads them as such: not as the value of an option, nor inside one. */
export function isDryRun(args: readonly string[]): boolean {
  return args.some((arg, index) => {
    const isValue = /^(-[a-zA-Z]*[eo]|--(exclude|push-option|receive-pack|exec|repo))$/.test(
      args[index - 1] ?? "",
    );
    const isSaid = arg === "--dry-run" || /^-[a-df-mp-zA-Z]*n[a-df-mnp-zA-Z]*$/.test(arg);
    return isSaid && !isValue && !args.slice(0, index).includes("--");
  });
}
