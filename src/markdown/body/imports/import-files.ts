import { extname } from "node:path";
import { problemOf } from "../../../config/file-problem.ts";
import { readRegularFile } from "../../../config/regular-file.ts";
import type { FileImport } from "../body.ts";
import type { ImportedFile, World } from "../world.ts";
import { wrapText } from "../wrap-text.ts";
import { decodeText } from "./decode-text.ts";
import { type FoundFile, findFiles } from "./find-files.ts";
import { importFault } from "./import-fault.ts";
import { pickPart } from "./pick-part.ts";

/** What takes the place of an import, and where it came from. */
export interface Inserted {
  readonly text: string;
  readonly files: readonly ImportedFile[];
}

export async function importFiles(wanted: FileImport, world: World): Promise<Inserted> {
  const found = await findFiles(wanted, world);
  const texts: string[] = [];
  const files: ImportedFile[] = [];
  for (const file of found) {
    world.signal.throwIfAborted();
    const bytes = readBytes(file, wanted);
    texts.push(await insertFile(file, bytes, wanted));
    const { written, where } = wanted;
    files.push({ written, source: file.path, bytes: bytes.length, where });
  }
  return { text: texts.join("\n"), files };
}

function readBytes(file: FoundFile, wanted: FileImport): Uint8Array {
  try {
    return readRegularFile(file.path);
  } catch (error) {
    const subject = wanted.isGlob ? `matches \`${file.shown}\`, which ` : "";
    throw importFault(
      wanted,
      `${subject}cannot be read: ${problemOf(error)}`,
      "import another file",
    );
  }
}

async function insertFile(file: FoundFile, bytes: Uint8Array, wanted: FileImport): Promise<string> {
  const text = decodeText(bytes);
  if (text === null) {
    const subject = wanted.isGlob ? `matches \`${file.shown}\`, which` : "";
    throw importFault(wanted, `${subject} is not text in UTF-8`.trim(), "import text files only");
  }
  const kind = extname(file.path).toLowerCase();
  const part = await pickPart({ text, kind, part: wanted.part, wanted });
  return wrapText({
    tag: "file",
    attributes: { path: file.shown, ...part.attributes },
    text: part.text,
  });
}
