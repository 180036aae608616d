// What becomes of an agent's file when something of ours is put into it or taken out. Two things of ours may stand in one
// file, hooks and a server; whoever comes or goes leaves the other. Pure: texts in, a text out.
import { type InstallRecord, isUntouched } from "./record.ts";

/** The file as it is, null where there is none, and what is known of it. */
export interface FileState {
  readonly file: string;
  readonly text: string | null;
  readonly record: InstallRecord | null;
}

/** One thing of ours in a file. A text that its agent could not read is a fault. */
export interface FilePart {
  has(text: string): boolean;
  /** `before` is the file as it was before we came, where that is known. */
  takeOut(text: string, before: string | null): string;
  /** Nothing is left but what we began it with; a comment is something. */
  isBare(text: string): boolean;
  /** Nothing else is kept in the file. */
  readonly ownsFile: boolean;
}

export interface WantedPart extends FilePart {
  /** It is there, exactly as it is wanted. */
  isDone(text: string): boolean;
  putIn(text: string): string;
}

export type InstallDecision =
  | { readonly kind: "unchanged" }
  /** `original` is what `uninstall` gives back as long as nobody else changes the file. */
  | { readonly kind: "write"; readonly text: string; readonly original: string | null };

export function decidePutIn(
  { text, record }: FileState,
  part: WantedPart,
  other: FilePart | null,
): InstallDecision {
  if (part.isDone(text ?? "")) return { kind: "unchanged" };
  const before = record?.original ?? null;
  const isKept = text !== null && other?.has(text) === true;
  const bare = text === null ? null : part.takeOut(text, before);
  const original =
    record !== null && text !== null && isUntouched(record, text)
      ? record.original
      : isKept && bare !== null
        ? other.takeOut(bare, before)
        : bare;
  return { kind: "write", text: part.putIn((isKept ? bare : original) ?? ""), original };
}

export type UninstallDecision =
  | { readonly kind: "absent" }
  | {
      readonly kind: "write";
      readonly text: string;
      /** The other thing of ours stays in it. */
      readonly isPartial?: true;
    }
  | { readonly kind: "remove" };

export function decideTakeOut(
  { text, record }: FileState,
  part: FilePart,
  other: FilePart | null,
): UninstallDecision {
  if (text === null) return { kind: "absent" };
  const before = record?.original ?? null;
  if (other?.has(text) === true)
    return part.has(text)
      ? { kind: "write", text: part.takeOut(text, before), isPartial: true }
      : { kind: "absent" };
  if (record !== null && isUntouched(record, text))
    return record.original === null ? { kind: "remove" } : { kind: "write", text: record.original };
  if (!part.has(text)) return { kind: "absent" };
  const rest = part.takeOut(text, before);
  const isOurFile = part.ownsFile || (record !== null && record.original === null);
  return isOurFile && part.isBare(rest) ? { kind: "remove" } : { kind: "write", text: rest };
}
