// A command as an agent's own, from its front matter and its body.

import type { NativeFormat } from "../../../src/agents/native/format.ts";
import { splitFrontMatter } from "../../../src/core/project/front-matter.ts";
import { parseMarkdown } from "../../../src/markdown/file/markdown-file.ts";
import {
  type NativeCommand,
  translateCommand,
} from "../../../src/markdown/native/translate-command.ts";

const PLACE = {
  name: "it",
  suffix: null,
  file: "it.md",
  path: "/it.md",
  layerFolder: { shown: "/", real: "/" },
};

export function translate(format: NativeFormat, body: string, frontMatter = ""): NativeCommand {
  const text = `---\ndescription: For a test\n${frontMatter}\n---\n${body}`;
  const file = parseMarkdown(text, PLACE);
  return translateCommand({ file, body: splitFrontMatter(text, "it.md").body }, format);
}
