import { defineCommand, fail, ok, z } from "adjutant";

export default defineCommand({
  description: "Make a branch name from a sentence",
  safety: "read_only",
  category: "git",
  args: z.object({
    words: z.array(z.string()).min(1).meta({ positional: "rest", description: "the sentence" }),
    kind: z.enum(["feat", "fix", "docs"]).default("feat").meta({ short: "k", plain: true }),
  }),
  run: ({ words, kind }) => {
    const slug = words
      .join(" ")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 50);
    return slug === ""
      ? fail("nothing is left of that sentence", 3)
      : ok(`${kind}/${slug}`, { slug });
  },
});
