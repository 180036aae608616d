// Whether a task is at home in a container. Nearly all are; the others can run in a plain folder.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Places of such a container, not part of a longer path. */
const CONTAINER_PATH = /(^|[^\w./}$-])\/(app|logs|tests|workspace|solution|oracle)\b/m;
const RECIPES = ["Dockerfile", "docker-compose.yaml", "docker-compose.yml"];
const LARGEST_TEXT = 1_000_000;

/** Why it cannot run in a plain folder; null where it can. */
export function findContainer(folder: string, image: string | undefined): string | null {
  if (image !== undefined) return `it needs a container: the image ${image}`;
  const recipe = RECIPES.find((name) => existsSync(join(folder, "environment", name)));
  if (recipe !== undefined) return `it needs a container: environment/${recipe}`;
  const named = ["instruction.md", ...listBelow(folder, "tests"), ...listBelow(folder, "solution")];
  const text = named.find((path) => namesContainer(join(folder, path)));
  return text === undefined ? null : `it needs a container: ${text} names places of one`;
}

const listBelow = (folder: string, name: string): string[] =>
  existsSync(join(folder, name))
    ? readdirSync(join(folder, name), { recursive: true, encoding: "utf8" })
        .toSorted()
        .map((path) => `${name}/${path}`)
    : [];

function namesContainer(file: string): boolean {
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts?.isFile() !== true || facts.size > LARGEST_TEXT) return false;
  return CONTAINER_PATH.test(readFileSync(file, "utf8"));
}
