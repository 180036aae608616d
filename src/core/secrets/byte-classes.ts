// The alphabets that secrets are written in, as bits of one table.

export const DIGIT = 1;
export const HEX = 2;
export const ALNUM = 4;
/** Base64 for URLs: letters, digits, `-` and `_`. */
export const URL64 = 8;
/** Base64: letters, digits, `+` and `/`. */
export const BASE64 = 16;
/** URL64 with dots, tildes and padding. */
export const DOTTED = 32;
export const UPPER = 64;
/** Base64 as it stands in a query, also with percent signs. */
export const QUERY64 = 128;
/** What a name in code is made of. */
export const WORD = 256;
export const BLANK = 512;
export const LOWER = 1024;
/** What may stand between the lines that begin and end a key block. */
export const KEY_BODY = 2048;
/** What a value without quotes is made of. */
export const BARE = 4096;
/** What a password in a URL is made of. */
export const URL_PART = 8192;

export type ByteClass = number;

const between = (first: string, last: string): string => {
  let text = "";
  for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code += 1)
    text += String.fromCharCode(code);
  return text;
};

function listMembers(): readonly (readonly [ByteClass, string])[] {
  const DIGITS = between("0", "9");
  const LOWERS = between("a", "z");
  const UPPERS = between("A", "Z");
  const LETTERS = LOWERS + UPPERS;
  const VISIBLE = between("!", "~");
  return [
    [DIGIT, DIGITS],
    [HEX, `${DIGITS}abcdefABCDEF`],
    [ALNUM, DIGITS + LETTERS],
    [URL64, `${DIGITS}${LETTERS}-_`],
    [BASE64, `${DIGITS}${LETTERS}+/`],
    [DOTTED, `${DIGITS}${LETTERS}-_.~=`],
    [UPPER, UPPERS],
    [LOWER, LOWERS],
    [QUERY64, `${DIGITS}${LETTERS}+/=%-_`],
    [WORD, `${DIGITS}${LETTERS}_`],
    [BLANK, " \t"],
    [KEY_BODY, `${DIGITS}${LETTERS}+/=\\:,.- \t\r\n()_<>@`],
    [BARE, [...VISIBLE].filter((char) => !"\"'`\\,;()[]{}<>|&".includes(char)).join("")],
    [URL_PART, [...VISIBLE].filter((char) => !"/\"'`<>\\".includes(char)).join("")],
  ];
}

/** For each byte the classes it belongs to, once they are filled in: most starts of the program look for no secret. */
export const BYTE_CLASSES: Uint16Array = new Uint16Array(256);

export function fillByteClasses(): void {
  for (const [byteClass, members] of listMembers())
    for (const char of members) {
      const code = char.charCodeAt(0);
      BYTE_CLASSES[code] = (BYTE_CLASSES[code] ?? 0) | byteClass;
    }
  // Bytes above 127 belong to nothing but free text.
  for (let code = 128; code < 256; code += 1)
    BYTE_CLASSES[code] = (BYTE_CLASSES[code] ?? 0) | BARE | URL_PART;
}
