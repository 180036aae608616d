// Repositories in which a secret waits: staged, changed, new, committed; and what `no-secrets` says of a line there.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellSubject, toolSubject } from "../../core/shell/subjects.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { decideBy, placeIn } from "./place.ts";

const REST = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
export const KEY = `ghp_${REST}`;
const PEM = `-----BEGIN EC PRIVATE KEY-----\n${"MHcCAQEEIB".repeat(8)}\n-----END EC PRIVATE KEY-----\n`;
const PATCH = `diff --git a/known b/known\n--- a/known\n+++ b/known\n@@ -1 +1,2 @@\n one\n+${KEY}\n`;

/** What stands for what in the tables. */
const WORDS: Readonly<Record<string, string>> = {
  AWSKEY: "aB3dE5gH/jK9mN1pQ3sT5vW7yZ9bC1d+3fG5hJ7k",
  RESTRESTREST: REST,
  KEY,
  B64: Buffer.from(KEY).toString("base64"),
  HEX: Buffer.from(KEY).toString("hex"),
  REV: [...KEY].reverse().join(""),
  REST,
};

const STATES: Readonly<Record<string, (put: Put, git: Git) => void>> = {
  line: () => {},
  clean: () => {},
  staged: (put, git) => {
    put("known", KEY);
    git("add", "known");
  },
  changed: (put) => put("known", `one\n${KEY}\n`),
  new: (put) => {
    for (const name of ["new", "sub/new", "ignored", "with space"]) put(name, `t=${KEY}\n`);
    put("utf16", Buffer.from(`\ufeffsome text\n${KEY}\n`, "utf16le"));
    put("binary", Buffer.concat([Buffer.from([0, 1, 2, 255, 0]), Buffer.from(`\n${KEY}\n`)]));
    put("b64", Buffer.from(`token ${KEY} `).toString("base64"));
    put("big", `${"x y z\n".repeat(120_000)}${KEY}\n`);
    put("p.diff", PATCH);
    put("pem", PEM);
  },
  committed: (put, git) => {
    put("known", KEY);
    git("commit", "-qam", "leak");
    put("known", "one\n");
    git("commit", "-qam", "take it out");
    git("tag", "v9");
  },
};

type Put = (name: string, content: string | Buffer) => void;
type Git = (...args: string[]) => void;

function openState(name: string): string {
  const folder = temporaryFolder();
  const [root, remote] = [join(folder, "project"), join(folder, "remote")];
  const env = { PATH: process.env.PATH ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  mkdirSync(join(root, "sub"), { recursive: true });
  const git: Git = (...args) => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.test"];
    execFileSync("git", [...identity, ...args], { cwd: root, env, stdio: "pipe" });
  };
  const put: Put = (file, content) => writeFileSync(join(root, file), content);
  git("init", "-q", "-b", "main");
  git("init", "-q", "--bare", remote);
  git("remote", "add", "origin", remote);
  const aliases = { ci: "commit", ca: "commit -a", aa: "add -A", pp: "push" };
  for (const [alias, line] of Object.entries(aliases)) git("config", `alias.${alias}`, line);
  put("known", "one\n");
  put("plain", "nothing\n");
  put(".gitignore", "ignored\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  git("branch", "clean");
  git("push", "-q", "origin", "main");
  git("fetch", "-q", "origin");
  STATES[name]?.(put, git);
  return root;
}

/** Decides on lines of a table, `state: line` each. */
export function openSecrets() {
  const opened = new Map<string, string>();
  return async (entry: string, options: object = {}): Promise<"pass" | "ask" | "deny"> => {
    const [, state = "", typed = ""] = /^(\w+): (.*)$/s.exec(entry) ?? [];
    const root = opened.get(state) ?? openState(state);
    opened.set(state, root);
    const line = typed
      .replaceAll("ROOT", root)
      .replaceAll("REMOTE", join(root, "../remote"))
      .replace(/AWSKEY|RESTRESTREST|KEY|B64|HEX|REV\b|REST/g, (word) => WORDS[word] ?? word);
    // `TOOL {…}` is a call of a server's tool.
    const [, tool, json] = /^(mcp__\w+) (\{.*\})$/s.exec(line) ?? [];
    const facts = { root, home: join(root, "..") };
    const subject =
      tool === undefined
        ? shellSubject(line, facts)
        : toolSubject({ tool, kind: "mcp", args: JSON.parse(json ?? "{}") }, facts);
    const place = placeIn(join(root, ".."));
    const verdict = await decideBy("no-secrets", { with: options, subject, place });
    if (JSON.stringify(verdict).includes(REST)) throw new Error("the secret itself is told");
    return verdict.control === "veto" ? "deny" : verdict.permission === "ask" ? "ask" : "pass";
  };
}
