import { readFileSync } from "node:fs";

export const readLog = (name) => readFileSync(`/var/log/${name}`, "utf8");
