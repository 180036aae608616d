// Imports by address: only from hosts that were opted in, and only what was pinned before.
import { createHash } from "node:crypto";
import { extname } from "node:path";
import { fault } from "../../../command/fault.ts";
import type { UrlImport } from "../body.ts";
import type { World } from "../world.ts";
import { wrapText } from "../wrap-text.ts";
import { decodeText } from "./decode-text.ts";
import { fetchText } from "./fetch-url.ts";
import { importFault } from "./import-fault.ts";
import type { Inserted } from "./import-files.ts";
import { pinHash, readPinned } from "./import-lock.ts";
import { pickPart } from "./pick-part.ts";

export async function importUrl(wanted: UrlImport, world: World): Promise<Inserted> {
  const bytes = await fetchText(wanted, world);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const isPinned = await checkPin(wanted, world, sha256);
  const text = decodeText(bytes);
  if (text === null) throw importFault(wanted, "is not text in UTF-8", "import text only");
  const { url, written, where } = wanted;
  const kind = extname(new URL(url).pathname).toLowerCase();
  const part = await pickPart({ text, kind, part: wanted.part, wanted });
  if (!isPinned) pinHash(world.urls.lockFile, url, sha256);
  const attributes = { url, ...part.attributes };
  return {
    text: wrapText({ tag: "file", attributes, text: part.text }),
    files: [{ written, source: url, bytes: bytes.length, where }],
  };
}

/** Whether it is what was pinned; another content is taken only by a person who was asked. */
async function checkPin(wanted: UrlImport, { urls }: World, found: string): Promise<boolean> {
  const { url, written, where } = wanted;
  const pinned = readPinned(urls.lockFile, url);
  if (pinned === null || pinned === found) return pinned === found;
  if (await urls.acceptChange({ url, pinned, found, where })) return false;
  throw fault(
    "ImportRefused",
    { written, problem: `its content is not what was pinned in \`${urls.lockFile}\`` },
    { where, hint: "look at it; to take the new content, run this on a terminal and accept it" },
  );
}
