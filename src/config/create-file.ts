import { linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fault } from "../command/fault.ts";
import { newId } from "../new-id.ts";
import { problemOf } from "./file-problem.ts";

/** Never over anything: a link is made only where nothing is, and the whole content is there with it. */
export function createFile(file: string, content: string): void {
  const temporary = `${file}.${newId()}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, content, { flag: "wx" });
    linkSync(temporary, file);
  } catch (error) {
    throw fault("StoreUnavailable", { path: file, problem: problemOf(error) }, { cause: error });
  } finally {
    rmSync(temporary, { force: true });
  }
}
