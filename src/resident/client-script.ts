// The client as text: bash alone, no program started while the resident answers. Its text does not change with
// versions of Adjutant, because agents remember what they were allowed to run; it finds the program for the
// cold way in the file beside it.
import { KEY_LENGTH } from "./address.ts";
import { HOOK_FAMILIES, HOOK_NAMES } from "./hook-variables.ts";
import { HEAD_LENGTH } from "./wire.ts";

/** Bash gives these a value of its own where the caller has none, so only exported ones are the caller's. */
const SET_BY_BASH = ["PATH", "HOME", "SHELL", "TERM"];

/** Bytes of an answer that loopback carries in one piece. */
const ONE_SEGMENT = 60_000;

/** Beside the client: the path of `adj`. */
export const PROGRAM_FILE = "program";

const ifSet = (name: string): string => `"\${${name}+${name}=$${name}}"`;

const ifExported = (name: string): string =>
  `[[ \${${name}@a} == *x* ]] && vars+=("${name}=$${name}")`;

const plainNames = HOOK_NAMES.filter((name) => !SET_BY_BASH.includes(name));
const families = HOOK_FAMILIES.map((family) => `"\${!${family}@}"`).join(" ");

export const CLIENT_SCRIPT = `#!/bin/bash -p
# Passes what an agent says to the resident of Adjutant, and the answer back. Where there is none, or it does
# not answer, the program itself does. Written by \`adj\`.
set +o posix
adj_locale=\${LC_ALL+LC_ALL=$LC_ALL}
LC_ALL=C
adj_modern=$((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404))
if ((adj_modern)); then
  IFS= read -r -N 2147483647 adj_payload
else
  adj_payload=$(cat && printf .)
  adj_payload=\${adj_payload%.}
fi

adj_state=\${ADJ_STATE_DIR:-\${XDG_STATE_HOME:-$HOME/.local/state}/adjutant}

take() {
  adj_taken=
  (($1 == 0)) && return
  if ((!adj_modern)); then
    IFS= read -r -d '' -t 20 -n "$1" -u 3 adj_taken && ((\${#adj_taken} == $1))
  elif [[ $2 ]]; then
    IFS= read -r -t "$2" -N "$1" -u 3 adj_taken
  else
    IFS= read -r -N "$1" -u 3 adj_taken
  fi
}

# A limit makes bash change its signal mask twice a byte: 0.7 s for 1 MB. What is sent in one segment is all
# there when its head is, so only more than that needs one.
takeText() {
  if (($1 + $2 < ${ONE_SEGMENT})); then
    take $(($1)) && adj_answer=$adj_taken && take $(($2)) && adj_problem=$adj_taken
  else
    take $(($1)) 20 && adj_answer=$adj_taken && take $(($2)) 20 && adj_problem=$adj_taken
  fi
}

ask() {
  local file=$adj_state/resident name head format port pid version clientKey serverKey rest
  [[ -O $file && $ADJ_RESIDENT != off && ( -z $CI || $CI == false || $CI == 0 ) ]] || return
  IFS=' ' read -r format port pid version clientKey serverKey rest <"$file"
  [[ $format == adj1 && $pid && \${#serverKey} == ${KEY_LENGTH} ]] && kill -0 "$pid" || return
  exec 3<>"/dev/tcp/127.0.0.1/$port" || return
  local vars=("$adj_locale"
    ${plainNames.map(ifSet).join("\n    ")})
  if ((adj_modern)); then
    ${SET_BY_BASH.map(ifExported).join("\n    ")}
  else
    local exported=$(export -p)
    for name in ${SET_BY_BASH.join(" ")}; do
      [[ $exported == *"declare -x $name="* ]] && vars+=("$name=\${!name}")
    done
  fi
  for name in ${families}; do
    [[ $name == LC_ALL ]] || vars+=("$name=\${!name}")
  done
  printf '%s\\0' ADJ1 "$clientKey" "$1" "$PWD" \${#adj_payload} \${#vars[@]} "\${vars[@]}" "$adj_payload" >&3 || return
  while take ${HEAD_LENGTH} 5 && head=$adj_taken && [[ \${head:0:${KEY_LENGTH}} == "$serverKey" ]]; do
    case \${head:${KEY_LENGTH}:1} in
      W) ;;
      A) takeText "10#\${head:${KEY_LENGTH + 1}:8}" "10#\${head:${KEY_LENGTH + 9}:8}"; return ;;
      *) return 1 ;;
    esac
  done
  return 1
}

trap '' PIPE
if ask "$1" 2>/dev/null; then
  printf %s "$adj_answer"
  printf %s "$adj_problem" >&2
  exit 0
fi
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
