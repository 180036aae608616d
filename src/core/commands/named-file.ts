// A file that somebody named by a flag, such as the one of a report.
import { writeFile } from "node:fs/promises";
import { fault } from "../command/fault.ts";
import { describeFileError, fileErrorCode } from "../project/files.ts";

/** The file is not put in place by a rename: it may be `/dev/stdout`. */
export async function writeNamedFile(
  file: string,
  text: string,
  { flag, hint }: { readonly flag: string; readonly hint: string },
): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const why =
      fileErrorCode(error) === "ENOENT" ? "its folder does not exist" : describeFileError(error);
    const facts = { what: `\`${flag}\``, problem: `\`${file}\` cannot be written: ${why}` };
    throw fault("InputInvalid", facts, { hint, cause: error });
  }
}
