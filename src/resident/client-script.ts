// The client as text: bash alone, no program started while the resident answers. Its text does not change with
// versions of Adjutant, because agents remember what they were allowed to run; it finds the program for the
// cold way in the file beside it. One straight line without functions: each took bash 50 µs of the agent's time.
import { KEY_LENGTH } from "./address.ts";
import { HOOK_FAMILIES, HOOK_NAMES } from "./hook-variables.ts";
import { HEAD_LENGTH } from "./wire.ts";

/** Bash gives these a value of its own where the caller has none, so only exported ones are the caller's. */
const SET_BY_BASH = ["PATH", "HOME", "SHELL", "TERM"];

/** Bytes of an answer that loopback carries in one piece. */
const ONE_SEGMENT = 60_000;

/** Beside the client: the path of `adj`. */
export const PROGRAM_FILE = "program";

const names = HOOK_NAMES.filter((name) => !SET_BY_BASH.includes(name)).join(" ");
const families = HOOK_FAMILIES.map((family) => `"\${!${family}@}"`).join(" ");

const ifExported = (name: string): string =>
  `  [[ $adj_old || \${${name}@a} == *x* ]] && adj_vars+=("${name}=$${name}")`;

export const CLIENT_SCRIPT = `#!/bin/bash -p
# Passes what an agent says to the resident of Adjutant, and the answer back. Where there is none, or it does
# not answer, the program itself does. Written by \`adj\`.
set +o posix
adj_locale=\${LC_ALL+LC_ALL=$LC_ALL}
LC_ALL=C
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
  adj_old=1 adj_exactly=(-d '' -n)
  adj_payload=$(cat && printf .)
  adj_payload=\${adj_payload%.}
else
  adj_old= adj_exactly=(-N)
  IFS= read -r -N 2147483647 adj_payload
fi
adj_file=\${ADJ_STATE_DIR:-\${XDG_STATE_HOME:-$HOME/.local/state}/adjutant}/resident
trap '' PIPE

# Left by \`break\` where the cold way is the one to go.
while [[ -O $adj_file && $ADJ_RESIDENT != off && ( -z $CI || $CI == false || $CI == 0 ) ]]; do
  IFS=' ' read -r adj_format adj_port adj_pid adj_version adj_clientKey adj_serverKey adj_rest <"$adj_file"
  [[ $adj_format == adj1 && $adj_pid && \${#adj_serverKey} == ${KEY_LENGTH} ]] && kill -0 "$adj_pid" || break
  exec 3<>"/dev/tcp/127.0.0.1/$adj_port" || break
  adj_vars=("$adj_locale")
${SET_BY_BASH.map(ifExported).join("\n")}
  for adj_name in ${names} ${families}; do
    [[ \${!adj_name+x} && $adj_name != LC_ALL ]] && adj_vars+=("$adj_name=\${!adj_name}")
  done
  printf '%s\\0' ADJ1 "$adj_clientKey" "$1" "$PWD" \${#adj_payload} \${#adj_vars[@]} "\${adj_vars[@]}" "$adj_payload" >&3 || break
  adj_head=W
  while [[ $adj_head == W ]]; do
    IFS= read -r -t 5 "\${adj_exactly[@]}" ${HEAD_LENGTH} -u 3 adj_head || break 2
    [[ \${adj_head:0:${KEY_LENGTH}} == "$adj_serverKey" ]] || break 2
    adj_head=\${adj_head:${KEY_LENGTH}}
    [[ $adj_head == W* ]] && adj_head=W
  done
  [[ $adj_head == A* ]] || break
  adj_out=$((10#\${adj_head:1:8})) adj_err=$((10#\${adj_head:9:8})) adj_limit=()
  # A limit makes bash change its signal mask twice a byte: 0.7 s for 1 MB. What is sent in one segment is all
  # there when its head is, so only more than that needs one.
  ((adj_out + adj_err < ${ONE_SEGMENT})) || adj_limit=(-t 20)
  adj_answer= adj_problem=
  if ((adj_out)); then
    IFS= read -r "\${adj_limit[@]}" "\${adj_exactly[@]}" $adj_out -u 3 adj_answer || break
  fi
  if ((adj_err)); then
    IFS= read -r "\${adj_limit[@]}" "\${adj_exactly[@]}" $adj_err -u 3 adj_problem || break
  fi
  printf %s "$adj_answer"
  [[ $adj_problem ]] && printf %s "$adj_problem" >&4
  exit 0
done 4>&2 2>/dev/null

exec 3>&-
trap - PIPE
if [[ $adj_locale ]]; then LC_ALL=\${adj_locale#LC_ALL=}; else unset LC_ALL; fi
adj_program=
[[ -r \${0%/*}/${PROGRAM_FILE} ]] && IFS= read -r adj_program <"\${0%/*}/${PROGRAM_FILE}"
if [[ ! -x $adj_program ]]; then
  adj_program=$(type -P adj) || {
    # Gone, with its entries left behind: the agent is to go on. Gemini CLI reads what is on stderr.
    [[ $1 == gemini ]] || echo 'adj: the program was removed; \`adj uninstall\` takes its hooks away' >&2
    exit 0
  }
fi
exec < <(printf %s "$adj_payload")
exec "$adj_program" hook "$@"
`;
