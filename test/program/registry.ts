// A registry on this machine that has a few packages, so that `npm install NAME` is typed as on a page and reaches no network.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";

interface Published {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly tarball: string;
}

export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** The names that somebody asked a tarball of. */
  readonly fetched: readonly string[];
}

/** A tarball as npm packs it. */
export function publishTarball(tarball: string): Published {
  const text = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], {
    encoding: "utf8",
  });
  return { manifest: JSON.parse(text), tarball };
}

/** A folder as it is installed here, not compressed: nobody waits for a hundred megabytes. */
export function publishFolder(source: string, folder: string): Published {
  const tarball = join(folder, `${basename(source)}.tgz`);
  const from = ["-C", dirname(source), "--transform", "s,^[^/]*,package,", basename(source)];
  if (!existsSync(tarball)) execFileSync("tar", ["-chf", tarball, ...from]);
  return { manifest: JSON.parse(readFileSync(join(source, "package.json"), "utf8")), tarball };
}

export async function startRegistry(packages: readonly Published[]): Promise<Registry> {
  const fetched: string[] = [];
  const server = createServer((request, response) => {
    const [, name = "", file] = (request.url ?? "").split("/");
    const found = packages.find(({ manifest }) => manifest.name === name);
    if (found === undefined) response.writeHead(404).end("{}");
    else if (file === undefined) {
      const version = String(found.manifest.version);
      const dist = { tarball: `${urlOf(server.address())}/${name}/tarball` };
      const versions = { [version]: { ...found.manifest, dist } };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
    } else {
      fetched.push(name);
      response.setHeader("content-length", statSync(found.tarball).size);
      createReadStream(found.tarball).pipe(response);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: urlOf(server.address()),
    fetched,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const urlOf = (address: string | AddressInfo | null): string =>
  typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
