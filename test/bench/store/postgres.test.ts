import { afterAll, beforeAll, describe } from "vitest";
import { openPostgresBench } from "../../../src/bench/store/postgres.ts";
import { describeStore } from "./conformance.ts";
import { startPostgres, type TestServer } from "./postgres-server.ts";

let server: TestServer;
let address: string;
beforeAll(async () => {
  server = await startPostgres();
  address = await server.makeDatabase();
});
afterAll(() => server.remove());

describe("the store on a server", () => describeStore(() => openPostgresBench(address)));
