// Quick tests share processes: what one file leaves changed in its process would reach another file, by chance.
import { afterAll, expect, vi } from "vitest";

const describeProcess = () => ({
  cwd: process.cwd(),
  env: { ...process.env },
  umask: process.umask(),
  hasFakeTimers: vi.isFakeTimers(),
});

const before = describeProcess();
afterAll(() => expect(describeProcess()).toEqual(before));
