// The client as text: bash alone, no program started while the resident answers. Its text does not change with
// versions of Adjutant, because agents remember what they were allowed to run; the program for the cold way, limits
// and refusals stand in files beside it. A straight line without functions: each took bash 50 µs of the agent's time.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { HookScope, InstallContext, InstallScope } from "../../agents/steps/installer.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { findProgram } from "../../core/process/find-program.ts";
import { readTextIfExists, replaceFile } from "../../core/project/files.ts";
import { findDataDir } from "../../core/project/paths.ts";
import { HOOK_FAMILIES, HOOK_NAMES } from "../handlers/environment.ts";
import { clientFolder, MARKER_NAME, markedSets, REASON_MARK } from "../pipeline/guard-marker.ts";
import { HELD_WORD, MAX_PAYLOAD_BYTES, TURN_HOOK_NAME } from "../pipeline/hook-call.ts";
import { loadHookSet } from "../pipeline/set.ts";
import { writeMarker } from "../pipeline/write-marker.ts";
import { KEY_LENGTH } from "./address.ts";
import { HEAD_LENGTH, LIMIT_FIELD } from "./wire.ts";

/** Bash gives these a value of its own where the caller has none, so only exported ones are the caller's. */
const SET_BY_BASH = ["PATH", "HOME", "SHELL", "TERM"];

/** Bytes of an answer that loopback carries in one piece. */
const ONE_SEGMENT = 60_000;

/** A file beside the client with the path of `adj`: what may change with a version stands there, not in the client's text. */
const PROGRAM_FILE = "program";

/** How long the client waits where no file says how long the agent does. */
const DEFAULT_LIMIT_SECONDS = 55;

const names = HOOK_NAMES.filter((name) => !SET_BY_BASH.includes(name)).join(" ");
const families = HOOK_FAMILIES.map((family) => `"\${!${family}@}"`).join(" ");

const ifExported = (name: string): string =>
  `  [[ $adj_old || \${${name}@a} == *x* ]] && adj_vars+=("${name}=$${name}")`;

export const CLIENT_SCRIPT = `#!/bin/bash -p
# Passes what an agent says to the resident of Adjutant, and the answer back. Where there is none, or it does
# not answer, the program itself does; where that does not either, the file \`guards\` beside this one says
# whether the step is refused. Called with the agent, its event and, where a person may be asked for longer than
# usual, the seconds that the agent waits. Written by \`adj\`.
set +o posix
adj_locale=\${LC_ALL+LC_ALL=$LC_ALL}
LC_ALL=C SECONDS=0
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
  adj_old=1 adj_exactly=(-d '' -n)
  adj_payload=$(cat && printf .)
  adj_payload=\${adj_payload%.}
else
  adj_old= adj_exactly=(-N)
  IFS= read -r -N ${MAX_PAYLOAD_BYTES + 1} adj_payload
fi
adj_file=\${ADJ_STATE_DIR:-\${XDG_STATE_HOME:-$HOME/.local/state}/adjutant}/resident
adj_why= adj_silent= adj_entry= adj_held=
[[ $3 == [1-9]* && $3 != *[!0-9]* && \${#3} -lt 6 ]] && adj_entry=$3
((\${#adj_payload} > ${MAX_PAYLOAD_BYTES})) && adj_why=large
trap '' PIPE

# Left by \`break\` where the cold way is the one to go.
while [[ ! $adj_why && ! $${TURN_HOOK_NAME} && -f $adj_file && -O $adj_file && $ADJ_RESIDENT != off && ( -z $CI || $CI == false || $CI == 0 ) ]]; do
  IFS=' ' read -r adj_format adj_port adj_pid adj_version adj_clientKey adj_serverKey adj_rest <"$adj_file"
  [[ $adj_format == adj1 && $adj_pid && \${#adj_serverKey} == ${KEY_LENGTH} ]] && kill -0 "$adj_pid" || break
  adj_silent=1
  exec 3<>"/dev/tcp/127.0.0.1/$adj_port" || break
  adj_vars=("$adj_locale")
${SET_BY_BASH.map(ifExported).join("\n")}
  for adj_name in ${names} ${families}; do
    [[ \${!adj_name+x} && $adj_name != LC_ALL ]] && adj_vars+=("$adj_name=\${!adj_name}")
  done
  [[ $adj_entry ]] && adj_vars+=("${LIMIT_FIELD}=$((adj_entry - SECONDS))")
  printf '%s\\0' ADJ1 "$adj_clientKey" "$1" "$PWD" \${#adj_payload} \${#adj_vars[@]} "\${adj_vars[@]}" "$adj_payload" >&3 || break
  adj_head=W adj_limit=
  while [[ $adj_head == W ]]; do
    IFS= read -r -t 3 "\${adj_exactly[@]}" ${HEAD_LENGTH} -u 3 adj_head || {
      (($? > 128)) || adj_silent=
      break 2
    }
    [[ \${adj_head:0:${KEY_LENGTH}} == "$adj_serverKey" ]] || break 2
    adj_head=\${adj_head:${KEY_LENGTH}}
    if [[ $adj_head == [WH]* ]]; then
      # A person is asked: from now on the entry's own limit counts.
      [[ $adj_head == H* && $adj_entry ]] && adj_held=$((adj_entry - 1)) adj_limit=$((adj_entry - 1))
      adj_head=W
      [[ $adj_limit || ! -f \${0%/*}/${MARKER_NAME} ]] || while IFS=$'\\t' read -r adj_word adj_agent adj_event adj_rest; do
        [[ $adj_word == limit && $adj_agent == "$1" && $adj_event == "$2" ]] && adj_limit=$adj_rest
      done <"\${0%/*}/${MARKER_NAME}"
      if ((SECONDS >= \${adj_limit:-${DEFAULT_LIMIT_SECONDS}})); then
        adj_why=late adj_silent=
        break 2
      fi
    fi
  done
  adj_silent=
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
{ exec 3>&-; } 2>/dev/null

# One that says nothing, or is another's, is not asked again: its address is taken away, and the program leaves
# a new one running.
if [[ $adj_silent ]]; then
  IFS= read -r adj_line <"$adj_file"
  [[ $adj_line == *" $adj_serverKey "* ]] && echo silent >"$adj_file"
fi 2>/dev/null

# From here on this one watches the program, which may be too slow, or fail.
adj_limit=${DEFAULT_LIMIT_SECONDS} adj_guarded= adj_quiet= adj_deny= adj_sentences= adj_unread= adj_marker=\${0%/*}/${MARKER_NAME}
adj_config=\${ADJ_CONFIG_DIR:-\${XDG_CONFIG_HOME:-$HOME/.config}/adjutant}
adj_folders=("$PWD" "$(pwd -P)")
# What is in force is not known where the file is there and cannot be read; of too much the program then says so itself.
[[ -f $adj_marker && -r $adj_marker || ! ( -e $adj_marker || -L $adj_marker ) ]] || adj_unread=1
[[ $adj_unread && $adj_why == large ]] && adj_why=
[[ -f $adj_marker && -r $adj_marker ]] && while IFS=$'\\t' read -r adj_word adj_agent adj_event adj_rest; do
  if [[ $adj_word == say ]]; then
    adj_sentences+=$'\\n'$adj_agent:$adj_event$'\\n'
  elif [[ $adj_agent != "$1" ]]; then
    continue
  elif [[ $adj_word == quiet ]]; then
    adj_quiet=1
  elif [[ $adj_word == project ]]; then
    adj_folders+=("\${!adj_event}")
  elif [[ $2 && $adj_event != "$2" ]]; then
    continue
  elif [[ $adj_word == limit ]]; then
    adj_limit=$adj_rest
  elif [[ $adj_word == deny && ! $adj_deny ]]; then
    adj_deny=$adj_rest
  elif [[ $adj_word == guard ]]; then
    adj_root=\${adj_rest#*$'\\t'}
    [[ $adj_config != /* || \${adj_rest%%$'\\t'*} == "$adj_config" ]] || continue
    for adj_folder in "\${adj_folders[@]}"; do
      [[ $adj_root == '*' || $adj_folder/ == "\${adj_root%/}"/* ]] && adj_guarded=1
    done
  fi
done <"$adj_marker"
# In a turn nothing runs that nobody approved, and nothing that a person was asked about.
[[ $${TURN_HOOK_NAME} || $adj_held ]] && adj_guarded=1
[[ $adj_held ]] && adj_limit=$adj_held

if [[ ! $adj_why ]]; then
  adj_program=
  [[ -f \${0%/*}/${PROGRAM_FILE} && -r \${0%/*}/${PROGRAM_FILE} ]] && IFS= read -r adj_program <"\${0%/*}/${PROGRAM_FILE}"
  [[ -x $adj_program && ! -d $adj_program ]] || adj_program=$(type -P adj) || adj_why=gone
fi
if [[ ! $adj_why ]]; then
  trap - PIPE
  if [[ $adj_locale ]]; then LC_ALL=\${adj_locale#LC_ALL=}; else unset LC_ALL; fi
  # An old bash cannot end what it started there, so the program is told to watch itself.
  if [[ $adj_old ]]; then
    set -- "$1"
  elif [[ $adj_entry ]]; then
    set -- "$1" "$2" "${HELD_WORD}$((adj_entry - SECONDS))"
  fi
  if [[ $adj_old ]]; then
    exec 3< <("$adj_program" hook "$@" < <(printf %s "$adj_payload"); printf '\\n%s' $?)
  else
    exec 3< <(exec "$adj_program" hook "$@" < <(printf %s "$adj_payload"))
  fi
  adj_child=$! adj_left=$((adj_limit - SECONDS)) adj_code=0
  IFS= read -r -d '' -t $((adj_left > 0 ? adj_left : 1)) -u 3 adj_answer
  adj_end=$?
  # What ends with a NUL is no answer, but the sign that a person is asked.
  if [[ $adj_end == 0 && $adj_entry ]]; then
    adj_guarded=1 adj_left=$((adj_entry - 1 - SECONDS))
    IFS= read -r -d '' -t $((adj_left > 0 ? adj_left : 1)) -u 3 adj_answer
    adj_end=$?
  fi
  if ((adj_end > 128)); then
    adj_why=late
    [[ $adj_old ]] || kill -KILL $adj_child
  elif [[ $adj_old ]]; then
    adj_code=\${adj_answer##*$'\\n'} adj_answer=\${adj_answer%$'\\n'*}
  else
    wait $adj_child
    adj_code=$?
  fi
  if [[ ! $adj_why && $adj_code == 0 ]]; then
    printf %s "$adj_answer"
    exit 0
  fi
  : "\${adj_why:=failed}"
fi

# Without the file there are no words of the agent's own; this is what they all take for a refusal of a tool.
if [[ $adj_unread && ( $2 == [pP]reToolUse || $2 == BeforeTool ) ]]; then
  echo "adj: the guards gave no answer, and $adj_marker, which says what is in force, cannot be read; look with 'adj doctor'" >&2
  exit 2
fi
adj_said=\${adj_sentences#*$'\\n'"$adj_why":}
adj_said=\${adj_said%%$'\\n'*}
if [[ $adj_guarded && $adj_deny ]]; then
  printf %s "\${adj_deny//${REASON_MARK}/"$adj_said"}"
elif [[ ! $adj_quiet && $adj_said ]]; then
  echo "adj: $adj_said" >&2
fi
# What is left of too much is read for the sake of who writes it.
[[ $adj_why == large ]] && while IFS= read -r -N 1048576 adj_rest; do :; done
exit 0
`;

// The client lies in the data folder, under a path and with a text that stay; what may change lies beside it.

const clientFile = (dataDir: string): string => join(clientFolder(dataDir), "adj-hook");

/**
 * Writes the client where it is missing or another, and notes where `adj` lies; returns the client's path.
 *
 * @example
 * installClient(dataDir, "/usr/local/bin/adj"); // "…/adjutant/client/adj-hook"
 */
export function installClient(dataDir: string, program: string): string {
  const file = clientFile(dataDir);
  writeIfOther(file, CLIENT_SCRIPT, 0o700);
  writeIfOther(join(clientFolder(dataDir), PROGRAM_FILE), `${program}\n`, 0o600);
  return file;
}

/** Whether a program is the installed client, but with a text that is not ours, or no longer. */
export const isOtherClient = (program: string, dataDir: string): boolean =>
  program === clientFile(dataDir) && readTextIfExists(program) !== CLIENT_SCRIPT;

/** Versions before 0.3 had it in the state folder. Entries that still call it there are answered by this version. */
function refreshOldClient(stateDir: string, program: string): void {
  const folder = join(stateDir, "client");
  if (readTextIfExists(join(folder, "adj-hook")) !== null)
    writeIfOther(join(folder, PROGRAM_FILE), `${program}\n`, 0o600);
}

function writeIfOther(file: string, text: string, mode: number): void {
  if (readTextIfExists(file) !== text) replaceFile(file, text, mode);
}

// What an installed entry starts.

interface ClientRequest {
  readonly scope: HookScope;
  readonly target: InstallContext;
  readonly program: Program;
  readonly isDryRun: boolean;
}

/**
 * The copy in the data folder for a user; in a project, where others have other homes, `adj` by PATH; for all users of
 * a machine the very program, which none of them can replace if an administrator put it there.
 */
export async function prepareClient(request: ClientRequest): Promise<readonly string[]> {
  const { scope, program, target, isDryRun } = request;
  const dataDir = findDataDir(target.env, target.home);
  if (scope === "managed") return [await findLauncher(program, target), "hook"];
  if (!isDryRun) await markGuards(dataDir, program);
  if (scope === "project") return ["adj", "hook"];
  if (isDryRun) return [clientFile(dataDir)];
  const launcher = await findLauncher(program, target);
  refreshOldClient(program.stateDir, launcher);
  return [installClient(dataDir, launcher)];
}

async function markGuards(dataDir: string, { stateDir, configDir, root }: Program): Promise<void> {
  const set = await loadHookSet({ paths: { stateDir, configDir }, root });
  await writeMarker(dataDir, markedSets(set, configDir, root), true);
}

/** What starts our MCP server: in a project by name, as everybody there has it. */
export const findServerProgram = async (
  program: Program,
  target: InstallContext,
  scope: InstallScope,
): Promise<string> => (scope === "project" ? "adj" : await findLauncher(program, target));

/** `adj` as PATH has it, when that is this very program: such a path outlives an update. */
async function findLauncher(program: Program, { env, root }: InstallContext): Promise<string> {
  const own = ownLauncher(program);
  const search = await findProgram("adj", { path: env.PATH, cwd: root });
  return search.kind === "found" && realpathSync(search.path) === own ? search.path : own;
}

/** From `dist/adj.cjs` or, unbuilt, `src/cli.ts` to the `bin/adj` beside. */
function ownLauncher({ entry }: Program): string {
  const [, script = ""] = entry;
  const root = script.replace(/\/(?:dist|src)\/[^/]+$/, "");
  return join(root, "bin", "adj");
}
