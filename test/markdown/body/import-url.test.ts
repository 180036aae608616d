import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import type { UrlChange } from "../../../src/markdown/body/context.ts";
import { isAllowed } from "../../../src/markdown/body/import-url.ts";
import { makePlace } from "./body-context.ts";

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function makeUrlPlace(hosts: readonly string[]) {
  const place = makePlace();
  const lockFile = join(place.project, ".adjutant/imports.lock");
  const asked: UrlChange[] = [];
  const urls = (accepts: boolean) => ({
    urls: {
      hosts,
      lockFile,
      acceptChange: (change: UrlChange) => {
        asked.push(change);
        return accepts;
      },
    },
  });
  return { ...place, lockFile, asked, urls };
}

describe("an import by address", () => {
  it("is inserted, and pinned by its content", async () => {
    const host = await serve((_, response) => response.end("hello {{ x }}"));
    const place = makeUrlPlace([host]);
    const url = `http://${host}/a.md`;
    const made = await place.prompt(`@${url}`, place.urls(false));
    expect(made).toBe(`<file url="${url}">\nhello {{ x }}\n</file>`);
    const sha256 = createHash("sha256").update("hello {{ x }}").digest("hex");
    const lock: unknown = JSON.parse(readFileSync(place.lockFile, "utf8"));
    expect(lock).toEqual({ adjutant: 1, imports: { [url]: { sha256 } } });
  });

  it("that changed is taken only by whoever accepts it", async () => {
    let content = "one";
    const host = await serve((_, response) => response.end(content));
    const place = makeUrlPlace([host]);
    const text = `@http://${host}/a`;
    await place.prompt(text, place.urls(false));
    const before = readFileSync(place.lockFile, "utf8");
    content = "two";
    expect(await place.problem(text, place.urls(false))).toBe(
      `review.md:5:1: \`${text}\` is not imported: its content is not what was pinned in \`${place.lockFile}\`; look at it; to take the new content, run this on a terminal and accept it`,
    );
    expect(readFileSync(place.lockFile, "utf8")).toBe(before);
    expect(await place.prompt(text, place.urls(true))).toContain("two");
    expect(await place.prompt(text, place.urls(false))).toContain("two");
    expect(place.asked).toHaveLength(2);
  });

  it("takes a heading", async () => {
    const host = await serve((_, response) => response.end("# A\na\n# B\nb\n"));
    const place = makeUrlPlace([host]);
    expect(await place.prompt(`@http://${host}/a.md#B`, place.urls(false))).toContain(
      'section="B">\n# B\nb\n</file>',
    );
  });

  it("goes only to hosts that were named, by redirection too", async () => {
    let reached = 0;
    const other = await serve((_, response) => {
      reached += 1;
      response.end("secret");
    });
    const host = await serve((request, response) => {
      if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
      else if (request.url === "/here") response.writeHead(301, { location: "/there" }).end();
      else if (request.url === "/there") response.end("there");
      else response.writeHead(302, { location: `http://${other}/` }).end();
    });
    const place = makeUrlPlace([host]);
    const refused = `\`${other}\` is not among those to import from`;
    expect(await place.problem(`@http://${other}/`, place.urls(true))).toContain(refused);
    expect(await place.problem(`@http://${host}/away`, place.urls(true))).toContain(refused);
    expect(reached).toBe(0);
    expect(await place.problem(`@http://${host}/loop`, place.urls(true))).toContain(
      "redirects more than 5 times; give the final address",
    );
    expect(await place.prompt(`@http://${host}/here`, place.urls(true))).toContain("there");
  });

  it("refuses what is missing, no text, too large, or nobody's", async () => {
    const host = await serve((request, response) => {
      if (request.url === "/404") response.writeHead(404).end("no");
      else if (request.url === "/binary") response.end(Buffer.from([0, 1, 2]));
      else response.end(Buffer.alloc(10 * 1024 * 1024 + 1, "x"));
    });
    const place = makeUrlPlace([host, "127.0.0.1:1"]);
    const table = [
      [`@http://${host}/404`, "was answered with status 404; mend the address"],
      [`@http://${host}/binary`, "is not text in UTF-8; import text only"],
      [`@http://${host}/large`, "is larger than 10 MB; import something smaller"],
      ["@http://127.0.0.1:1/", "cannot be fetched: "],
    ] as const;
    for (const [written, problem] of table)
      expect(await place.problem(written, place.urls(true))).toContain(`\`${written}\` ${problem}`);
  });

  it("pins nothing that was not inserted, and refuses a lock file that is none", async () => {
    const host = await serve((_, response) => response.end(Buffer.from([0])));
    const place = makeUrlPlace([host]);
    await place.problem(`@http://${host}/a`, place.urls(true));
    expect(existsSync(place.lockFile)).toBe(false);
    place.write({ ".adjutant/imports.lock": "x" });
    writeFileSync(place.lockFile, "{");
    expect(await place.problem(`@http://${host}/a`, place.urls(true))).toContain(
      "imports.lock: it is not a lock",
    );
  });
});

test.each([
  ["https://docs.example.com/a", ["docs.example.com"], true],
  ["https://docs.example.com:443/a", ["docs.example.com"], true],
  ["https://DOCS.example.com/a", ["docs.example.com"], true],
  ["https://docs.example.com:8443/a", ["docs.example.com"], false],
  ["https://docs.example.com:8443/a", ["docs.example.com:8443"], true],
  ["https://evil.docs.example.com/", ["docs.example.com"], false],
  ["https://docs.example.com.evil/", ["docs.example.com"], false],
  ["http://docs.example.com/", ["docs.example.com"], false],
  ["http://docs.example.com:80/", ["docs.example.com", "docs.example.com:80"], false],
  ["http://127.0.0.1/", ["127.0.0.1"], false],
  ["http://127.0.0.1:99/", ["127.0.0.1:99"], true],
  ["http://[::1]:99/", ["[::1]:99"], true],
  ["file:///etc/passwd", [""], false],
])("%s with hosts %j is allowed: %s", (url, hosts, expected) => {
  expect(isAllowed(new URL(url), hosts)).toBe(expected);
});
