/** The value of a text that should be JSON, undefined where it is none; whoever asks checks what the value is. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
