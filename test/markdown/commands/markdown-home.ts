// Markdown commands in a home of their own, for the built program.
import { type Home, makeHome } from "../../program/adj.ts";

export const markdown = (frontMatter: string, body = "Say it.") =>
  `---\ndescription: For a test\n${frontMatter}\n---\n${body}\n`;

/** A program that repeats its prompt stands for an agent. */
export const ECHO = "agent: command\nargv: [cat]";

export function homeWith(files: Readonly<Record<string, string>>): Home {
  const home = makeHome();
  home.write(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`config/commands/${name}`, text]),
    ),
  );
  return home;
}

export const outcomeOf = (stdout: string) => JSON.parse(stdout);
