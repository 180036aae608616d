// Each script asks `adj` itself what could stand at the cursor. The first line of the answer says
// whether files are wanted, each further line is a candidate, a tab and its description.

const BASH = `# Completion of adj for bash; load it with: source <(adj completion bash)
_adj_complete() {
  local line kind=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then
      kind=$line
    else
      COMPREPLY+=("$(printf '%q' "\${line%%$'\\t'*}")")
    fi
  done < <("\${COMP_WORDS[0]}" completion bash --index "$COMP_CWORD" -- "\${COMP_WORDS[@]}" 2>/dev/null)
  if [[ $kind == files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do
      COMPREPLY+=("$line")
    done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
  fi
}
complete -F _adj_complete adj
`;

const ZSH = `#compdef adj
# Completion of adj for zsh; load it with: source <(adj completion zsh)
_adj() {
  local -a answer candidates
  local line kind
  answer=("\${(@f)$("\${words[1]}" completion zsh --index $((CURRENT - 1)) -- "\${words[@]}" 2>/dev/null)}")
  kind=\${answer[1]}
  for line in "\${answer[@]:1}"; do
    [[ -n $line ]] || continue
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( \${#candidates} )) && _describe -V adj candidates
  if [[ $kind == files ]]; then
    compset -P '--*='
    _files
  fi
  return 0
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _adj "$@"
else
  compdef _adj adj
fi
`;

const FISH = `# Completion of adj for fish; load it with: adj completion fish | source
function __adj_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l answer ($words[1] completion fish --index (math (count $words) - 1) -- $words 2>/dev/null)
  if test (count $answer) -gt 1
    printf '%s\\n' $answer[2..-1]
  end
  if test "$answer[1]" = files
    __fish_complete_path (commandline -ct)
  end
end
complete -c adj -f -a '(__adj_complete)'
`;

export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;
