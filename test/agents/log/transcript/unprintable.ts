/** What must not reach a terminal or a page: controls but for line ends and tabs, direction marks. */
export const UNPRINTABLE = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;
