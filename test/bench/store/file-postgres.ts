import { afterAll } from "vitest";
import { startPostgres, type TestServer } from "./postgres-server.ts";

/** A server for the tests of one file, gone with the last of them. */
export async function startFilePostgres(): Promise<TestServer> {
  const server = await startPostgres();
  afterAll(() => server.remove());
  return server;
}
