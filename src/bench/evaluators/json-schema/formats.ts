const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const TIME =
  /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

const isDate = (text: string): boolean =>
  DATE.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);

/** The formats that are checked; a schema with another is refused, so that none is taken for checked. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: (text) => TIME.test(text),
  "date-time": (text) =>
    isDate(text.slice(0, 10)) && /^t/i.test(text.slice(10)) && TIME.test(text.slice(11)),
  email: (text) => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text),
  uri: (text) => /^[a-z][a-z\d+.-]*:/i.test(text) && URL.canParse(text),
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
};
