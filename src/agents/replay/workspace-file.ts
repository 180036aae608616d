import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { placeInWorkspace } from "../workspace-path.ts";

export interface ToolAnswer {
  readonly result: string;
  readonly isError: boolean;
}

/** Writes a file of the workspace; its folders are made. */
export async function writeWorkspaceFile(
  workspace: string,
  path: string,
  content: string,
): Promise<ToolAnswer> {
  return attempt(async () => {
    const target = await placeInside(workspace, path);
    await writeFile(target, content);
    return `wrote ${path} (${Buffer.byteLength(content)} bytes)`;
  });
}

/** Replaces a text that stands exactly once in a file. */
export async function editWorkspaceFile(
  workspace: string,
  change: { readonly path: string; readonly old: string; readonly new: string },
): Promise<ToolAnswer> {
  return attempt(async () => {
    const target = await placeInside(workspace, change.path);
    const before = await readFile(target, "utf8");
    const places = before.split(change.old).length - 1;
    if (places !== 1)
      throw new Error(`the text to replace stands ${places} times in ${change.path}, not once`);
    // As a function, so that a `$` in the new text stays one.
    await writeFile(
      target,
      before.replace(change.old, () => change.new),
    );
    return `edited ${change.path}`;
  });
}

async function attempt(act: () => Promise<string>): Promise<ToolAnswer> {
  try {
    return { result: await act(), isError: false };
  } catch (error) {
    return { result: error instanceof Error ? error.message : String(error), isError: true };
  }
}

/** Where a path of a cassette is; one that leads out of the workspace, by a link too, is refused. */
async function placeInside(workspace: string, path: string): Promise<string> {
  const place = await placeInWorkspace(workspace, path);
  if (place === null) throw new Error(`${path} is outside of the workspace`);
  await mkdir(dirname(place), { recursive: true });
  return place;
}
