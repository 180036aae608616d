import { VERSION } from "../version.ts";
import type { RunLog } from "./run-log.ts";

export const describeEnvironment = (workingDirectory: string): RunLog["environment"] => ({
  os: `${process.platform}-${process.arch}`,
  node_version: process.version,
  adjutant_version: VERSION,
  working_directory: workingDirectory,
});
