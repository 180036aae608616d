/** `attention` is what makes the doctor fail; a warning may be meant so. */
export interface Finding {
  readonly level: "ok" | "note" | "warning" | "attention";
  readonly text: string;
  /** What to do about it. */
  readonly repair: string | null;
}

export const fine = (text: string): Finding => ({ level: "ok", text, repair: null });
export const note = (text: string): Finding => ({ level: "note", text, repair: null });
export const warning = (text: string, repair: string | null = null): Finding => ({
  level: "warning",
  text,
  repair,
});
export const attention = (text: string, repair: string): Finding => ({
  level: "attention",
  text,
  repair,
});

const MARKS: Readonly<Record<Finding["level"], string>> = {
  ok: "ok   ",
  note: "note ",
  warning: "warn ",
  attention: "fix  ",
};

export const formatFinding = ({ level, text, repair }: Finding): string =>
  `  ${MARKS[level]} ${text}${repair === null ? "" : `; ${repair}`}`;
