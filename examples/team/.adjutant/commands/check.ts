import { defineCommand, fail, ok } from "adjutant";

/** A command made of commands: each keeps its own record under the same correlation. */
export default defineCommand({
  description: "Run everything that must hold before a commit",
  safety: "read_only",
  run: async (_, { dispatch, progress }) => {
    const failed: string[] = [];
    for (const [at, name] of ["no-conflicts", "no-debugger"].entries()) {
      progress(at / 2);
      const { result } = await dispatch({ name });
      if (!result.success) failed.push(name);
    }
    return failed.length === 0 ? ok("all checks hold") : fail(`failed: ${failed.join(", ")}`);
  },
});
