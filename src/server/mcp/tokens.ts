// Who may speak with the server over HTTP: a token stands for one project, and only its hash is kept.

import { randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { readText, replaceFile } from "../../core/project/files.ts";
import { sha256 } from "../../core/project/fingerprint.ts";
import { parseJson } from "../../core/project/json-value.ts";

const TOKENS = z.record(
  z.string(),
  z.object({ cwd: z.string(), root: z.string(), isAll: z.boolean(), at: z.string() }),
);
type Tokens = z.infer<typeof TOKENS>;
export type TokenGrant = Omit<Tokens[string], "at">;

/** Old ones go first. */
const MAX_TOKENS = 100;

const tokensFile = (stateDir: string): string => join(stateDir, "mcp-tokens.json");

/** None where the file is not this user's alone: whoever can write it could let themselves in. */
function readTokens(stateDir: string): Tokens {
  const file = tokensFile(stateDir);
  const { mode, uid } = lstatSync(file, { throwIfNoEntry: false }) ?? { mode: 0, uid: -1 };
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0) return {};
  const read = TOKENS.safeParse(parseJson(readText(file) ?? ""));
  return read.success ? read.data : {};
}

export function issueToken(stateDir: string, grant: TokenGrant): string {
  const token = `adj_${randomBytes(24).toString("base64url")}`;
  const kept = Object.entries(readTokens(stateDir)).slice(-(MAX_TOKENS - 1));
  const issued = [sha256(token), { ...grant, at: new Date().toISOString() }] as const;
  replaceFile(tokensFile(stateDir), `${JSON.stringify(Object.fromEntries([...kept, issued]))}\n`);
  return token;
}

/** By its hash, so that no comparison tells how much of a guess was right. */
export const findToken = (stateDir: string, token: string): TokenGrant | null =>
  readTokens(stateDir)[sha256(token)] ?? null;
