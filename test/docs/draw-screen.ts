// A terminal as an SVG: what was typed and what was printed, for README. A test types it and compares.
const [COLUMN, LINE, EDGE] = [8.4, 20, 16];
const COLOURS = { typed: "#f5f5f5", prompt: "#7ec699", printed: "#b8bcc4" };

/** Lines that begin with `$ ` are typed. */
export function drawScreen(lines: readonly string[]): string {
  const columns = Math.max(...lines.map((line) => line.length));
  const [width, height] = [columns * COLUMN + 2 * EDGE, lines.length * LINE + 2 * EDGE];
  const rows = lines.map((line, at) => {
    const y = EDGE + LINE * (at + 0.75);
    return `  <text x="${EDGE}" y="${y}" xml:space="preserve">${drawLine(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${height}" role="img" aria-label="adj in a terminal">`,
    "  <title>adj in a terminal</title>",
    `  <rect width="100%" height="100%" rx="8" fill="#1e2127"/>`,
    `  <g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="${COLOURS.printed}">`,
    ...rows.map((row) => `  ${row}`),
    "  </g>",
    "</svg>",
    "",
  ].join("\n");
}

function drawLine(line: string): string {
  if (!line.startsWith("$ ")) return escapeText(line);
  const typed = `<tspan fill="${COLOURS.typed}">${escapeText(line.slice(2))}</tspan>`;
  return `<tspan fill="${COLOURS.prompt}">$ </tspan>${typed}`;
}

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
