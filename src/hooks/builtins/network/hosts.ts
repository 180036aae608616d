// Hosts that a text names.

/** Of addresses inside a text, and of `user@host:path`. */
export function hostsIn(text: string): string[] {
  const urls = text.match(/\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]+/gi) ?? [];
  const remote = /^[\w.-]+@([\w.-]+)(?::|$)/.exec(text)?.[1];
  const found = urls.flatMap((url) => URL.parse(url)?.hostname || []);
  return remote === undefined ? found : [...found, remote];
}

/** `localhost:8080/x` and a host that stands alone. */
export function bareHosts(text: string): string[] {
  const host = /^([a-z0-9][\w.-]*\.[a-z0-9-]+|localhost|\[[0-9a-f:]+\])(?::\d+)?(?:[/?#]|$)/i.exec(
    text,
  );
  return host?.[1] === undefined ? [] : [host[1].replace(/^\[|\]$/g, "")];
}

/** Of a word that is an address as a whole, or the value of an option, a setting or a package that is one. */
export const addressIn = (text: string): string[] =>
  /^(?:-{1,2}[\w.:-]+=|(?:[\w.:@/-]{1,80}[=@]){1,3})?[a-z][a-z0-9+.-]{1,30}:\/\/\S+$/i.test(text)
    ? hostsIn(text)
    : [];

const REMOTE = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)/;

/** `host:path`, as ssh and its like have it. */
export const remoteHosts = (text: string): string[] => {
  const host = REMOTE.exec(text)?.[1];
  return host === undefined ? [] : [host];
};
