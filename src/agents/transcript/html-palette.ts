// Two sets of colours; every text on its ground has the contrast of WCAG AA (4.5 to 1), by a test.

export interface Palette {
  readonly page: string;
  readonly card: string;
  readonly code: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly good: string;
  readonly goodGround: string;
  readonly bad: string;
  readonly badGround: string;
  readonly focus: string;
}

export const LIGHT: Palette = {
  page: "#f5f6f8",
  card: "#ffffff",
  code: "#eef0f3",
  line: "#d3d8df",
  text: "#1c2127",
  quiet: "#545d68",
  good: "#0b6128",
  goodGround: "#dcf5e3",
  bad: "#a1101f",
  badGround: "#fde8e8",
  focus: "#0a58ca",
};

export const DARK: Palette = {
  page: "#0e1116",
  card: "#171b22",
  code: "#222832",
  line: "#38404c",
  text: "#e5e9ee",
  quiet: "#a3adba",
  good: "#6fdc8c",
  goodGround: "#12311d",
  bad: "#ff9a94",
  badGround: "#431a1c",
  focus: "#7cb1ff",
};

/** `--page: #fff; …`, as a style sheet has it. */
export const writeColours = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(" ");
