import { escapeControls } from "../command/words.ts";

/** `attention` is what makes the doctor fail; a warning may be meant so. */
export interface Finding {
  readonly level: "ok" | "note" | "warning" | "attention";
  readonly text: string;
  /** What to do about it. */
  readonly repair: string | null;
}

export const okFinding = (text: string): Finding => ({ level: "ok", text, repair: null });
export const noteFinding = (text: string): Finding => ({ level: "note", text, repair: null });
export const warningFinding = (text: string, repair: string | null = null): Finding => ({
  level: "warning",
  text,
  repair,
});
export const attentionFinding = (text: string, repair: string): Finding => ({
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
  `  ${MARKS[level]} ${escapeControls(`${text}${repair === null ? "" : `; ${repair}`}`)}`;
