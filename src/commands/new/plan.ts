// What `adj new` is about to write, decided before anything is touched.
import { join } from "node:path";
import { fault } from "../../command/fault.ts";
import { misuse } from "../../command/misuse.ts";
import { isCommandName, PROGRAM_WORDS } from "../../command/name.ts";
import { LAYER_FOLDER } from "../../config/project-root.ts";

export const KINDS = ["ts", "argv", "md"] as const;
export type Kind = (typeof KINDS)[number];

export interface Wish {
  readonly name: string;
  readonly ts: boolean;
  readonly argv: boolean;
  readonly md: boolean;
  readonly user: boolean;
  readonly description?: string | undefined;
  readonly words: readonly string[];
}

export interface Plan {
  readonly name: string;
  readonly kind: Kind;
  readonly layer: "user" | "project";
  /** The layer's folder. */
  readonly folder: string;
  readonly root: string;
  readonly description: string;
  readonly argv: readonly string[];
}

export function planScaffold(
  wish: Wish,
  { root, configDir }: { root: string; configDir: string },
): Plan {
  const { name, user, words } = wish;
  if (!isCommandName(name)) throw fault("NameInvalid", { name }, { hint: "choose another name" });
  if (PROGRAM_WORDS.has(name))
    throw fault("NameReserved", { name }, { hint: "choose another name" });
  const kind = chooseKind(wish);
  if (kind !== "argv" && words.length > 0)
    throw misuse("new", `only \`--argv\` takes words after the name, got \`${words[0]}\``);
  return {
    name,
    kind,
    layer: user ? "user" : "project",
    folder: user ? configDir : join(root, LAYER_FOLDER),
    root,
    description: wish.description ?? `Describe ${name} in one line`,
    argv: words.length > 0 ? words : ["echo", `hello from ${name}`],
  };
}

function chooseKind(wish: Wish): Kind {
  const [kind, ...others] = KINDS.filter((one) => wish[one]);
  if (kind === undefined || others.length > 0)
    throw misuse("new", "give one of `--ts`, `--argv` and `--md`");
  return kind;
}
