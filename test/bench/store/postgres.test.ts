import { describe } from "vitest";
import { openPostgresBench } from "../../../src/bench/store/postgres.ts";
import { describeStore } from "./conformance.ts";
import { startFilePostgres } from "./file-postgres.ts";

const server = await startFilePostgres();
const address = await server.makeDatabase();

describe("the store on a server", () => describeStore(() => openPostgresBench(address)));
