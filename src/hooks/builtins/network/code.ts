// Code given to an interpreter or a compiler: an address in it counts where something beside it opens one.
import { COMPILERS } from "../../../core/shell/carried-code.ts";
import type { SimpleCommand } from "../../../core/shell/simple-command.ts";
import { hostsIn } from "./hosts.ts";

const INTERPRETERS =
  /^(python[\d.]*|node|nodejs|tsx|ts-node|deno|bun|ruby|perl|php|Rscript|pwsh|powershell|osascript|lua|luajit|tclsh|wish|expect|julia|elixir|iex|erl|groovy|guile|racket|sbcl|ghc|runghc|jshell|gdb|lldb|n?vim?|view|ex|emacs)$/i;
const HAS_OWN_VERBS = /^(bun|deno)$/;

/** Compilers have uses of the network that are no code. */
export const takesCode = (name: string): boolean => INTERPRETERS.test(name) || COMPILERS.test(name);

/** Whether code is all that the program can use the network by. */
export const isOnlyInterpreter = (name: string): boolean =>
  INTERPRETERS.test(name) && !HAS_OWN_VERBS.test(name);

/** Beside an address, these open it. */
const OPENS =
  /\b(fetch|urlopen|urlretrieve|build_opener|URLopener|urllib3|requests|httpx|aiohttp|axios|http\.client|socket|webbrowser|sax|RobotFileParser|open-uri|URI|LWP|file_get_contents|curl|curl_init|Invoke-WebRequest|iwr|WebClient|HttpClient|WebSocket|EventSource|undici|xmlrpc|geturl|java\.net|openStream|openConnection|url-retrieve\S*|http-get|httpc|Downloads?|DOWNLOAD|UPLOAD|contentsOf|download\.file|readLines|read[._](?:csv2?|table|json|html|xml|excel|parquet|delim|feather)|readfile|SoapClient|simplexml_load_file|(?:fopen|copy|source|scan|include|require)(?:_once)?\(|include ["']http|irm|Invoke-RestMethod|Start-BitsTransfer|open location|install\.packages|url\(|http\.(?:Get|Post|NewRequest)|reqwest|ureq|CPAN)(?:\b|(?<=\())|["'](?:node:)?http[s2]?["']|\b(?:import|from)\s{0,9}\(?["']https?:|["'](?:postgres\w{0,9}|mysql\w{0,9}|mongodb|rediss?|amqps?|nats|mqtts?|ldaps?)(?:\+\w{1,20})?:\/\//;
/** Nothing but a connection is made by these, wherever the host's name comes from. */
const CONNECTS =
  /\b(?:(?:create|open)_connection|HTTPS?Connection|IO::Socket|HTTParty|Faraday|RestClient|Excon|Typhoeus|p?fsockopen|curl_init|stream_socket_client|TCPSocket|Socket\.(?:tcp|udp)|java\.net\.Socket|TcpClient|TcpStream|UdpSocket|HTTP::Tiny|Net::(?=[A-Z])\w+|gen_tcp|gen_udp|net\.Dial|make-network-process|open-network-stream|smtplib|ftplib|telnetlib|poplib|imaplib|nntplib|paramiko|get_server_certificate|(?:Socket|HTTP|SysLog|SMTP|Datagram)Handler|inet_aton|gethostby\w+|getaddrinfo|Test-NetConnection|Resolve-DnsName|Send-MailMessage|inet_time|pack_sockaddr_in|ch_open|http::geturl|tar(?:get)?\s+(?:ext\w*-)?rem\w*)\b|\.connect(?:_ex)?\(\(|\.sendto\(|\bmail\(["'][^"'\n]{1,80}@|\bgdb-remote\s|\b(?:net|tls|http2)["']?\)?\.(?:connect|createConnection)\b|\bSocket\)?\(\)\.connect\(|\bhttps?["']?\)?\.(?:get|request)\s*\(|\bfetch\s*\(|\burlopen\s*\(|\brequests\.(?:get|post|put|patch|delete|head|request)\s*\(|\bconnection\b[^\n]{0,80}\.Client\(|Manager\([^\n]{0,80}\.connect\(|\[socket\s+[^-\s]|\bnew\s+(?:Datagram)?Socket\(/;
/** Both of a pair together: a module by which one connects, and the call. */
const PAIRS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /["'](?:node:)?(?:net|tls|http2|dgram)["']|\b(?:net|tls|http2)\./,
    /\b(?:connect|createConnection)\b/,
  ],
  [/socket/i, /\bconnect\b|socket_connect/],
  [/["'](?:node:)?dgram["']/, /\.send\(/],
  // What a cloud's library calls is its cloud; a database's may be on this machine.
  [/\b(?:import|from)\s{1,3}boto3\b/, /\.(?:client|resource)\(/],
  [/\bfrom\s{1,3}google\.cloud\b/, /Client\(/],
  [/\b(?:import|from)\s{1,3}(?:openai|anthropic|slack_sdk)\b/, /(?:OpenAI|Anthropic|WebClient)\(/],
  [
    /\b(?:import|from)\s{1,3}(?:redis|psycopg2?|pymysql|asyncpg|MySQLdb|pymongo|pika|kafka)\b/,
    /\((?:host\s{0,3}=\s{0,3})?["'](?!localhost["']|127\.)[\w-]{1,63}\.[\w.-]{1,200}["']|\bhost=(?!localhost\b|127\.)\w/,
  ],
  [/["'](?:node:)?dns(?:\/promises)?["']|\bdns\./, /\b(?:lookup\w*|resolve\w*|reverse)\b/],
  [/["'](?:node:)?https?["']/, /\.(?:get|request)\(\s{0,9}\{/],
];
/** Of Tcl, where a socket that is no server's is a connection. */
const TCL_SOCKET = /\bsocket\s+(?!-server\b)[-\w$"]/;

const QUOTED_HOST = /["'`]((?:[\w-]{1,63}\.){1,9}[\w-]{1,63}|localhost)(?::\d{1,5})?["'`]/g;

/** The hosts that the code of a command connects to, where they are named; null where it connects to none. */
export function hostsOfCode(
  { words, text, redirections, assignments }: SimpleCommand,
  carried: string,
): string[] | null {
  const bodies = redirections.flatMap((each) => (each.kind === "text" ? [each.body.text] : []));
  const loaded = assignments.flatMap(({ name, value }) =>
    CODE_VARIABLE.test(name) ? [value.text] : [],
  );
  // `-MLWP::Simple` is `use LWP::Simple`.
  const code = [text, ...bodies, ...loaded, carried]
    .join("\n")
    .replaceAll(/ -[mM](?=[A-Z])/g, " -M ");
  const texts = [...words.map((word) => word.text), ...bodies, ...loaded, carried];
  const hosts = texts.flatMap((each) => hostsIn(each.replaceAll(OPEN_PORT, "")));
  // Of a hash, or an environment.
  const isRuby = words[0]?.text === "ruby";
  const isTcl = /^(tclsh|wish|expect)$/.test(words[0]?.text ?? "");
  const connects =
    CONNECTS.test(isRuby ? code.replaceAll(".fetch(", ".at(") : code) ||
    (isTcl && TCL_SOCKET.test(code)) ||
    PAIRS.some((pair) => pair.every((each) => each.test(code)));
  if (connects) return [...hosts, ...[...code.matchAll(QUOTED_HOST)].map(([, host = ""]) => host)];
  return hosts.length === 0 || !OPENS.test(code) ? null : hosts;
}

/** `http://localhost:${port}`, `{port}`, `%d`. */
const OPEN_PORT =
  /(?<=:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):(?:\$?\{[\w.()]{1,40}\}|#\{\w{1,40}\}|%[sdv])/g;

/** Options in them are code, or load some. */
const CODE_VARIABLE =
  /^(NODE_OPTIONS|PERL5OPT|RUBYOPT|PYTHONSTARTUP|BUN_OPTIONS|JAVA_TOOL_OPTIONS)$/;
