// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how a shell writes it
// Definitions that take variables, words or options from a file which was edited after they were trusted.
import { sampled } from "../../../support/tier.ts";
import { type EditedForm, testEditedForms } from "./edited-forms.ts";

/** What a variable of the shell, of Node or of Python makes them load first. */
const LOADED = {
  "as-approved.sh": "echo as-approved",
  "EDITED.sh": "echo EDITED",
  "as-approved.cjs": 'console.log("as-approved")',
  "EDITED.cjs": 'console.log("EDITED")',
};
const BASH = { v: "BASH_ENV=./SAY.sh", ...LOADED };
const NODE = { v: "NODE_OPTIONS=--require=./SAY.cjs", "x.js": "", ...LOADED };
const VALUE = { v: "./SAY.sh", ...LOADED };
const OPTION = { v: "--require=./SAY.cjs", "x.js": "", ...LOADED };

const FORMS: readonly EditedForm[] = [
  ["export $(cat v); bash -c :", "listed", BASH],
  ['export "$(cat v)"; bash -c :', "listed", BASH],
  ["export $(<v); bash -c :", "listed", BASH],
  ["export $(grep -v '^#' v | xargs); bash -c :", "listed", BASH],
  ["export `cat v`; bash -c :", "listed", BASH],
  ["declare -x $(cat v); bash -c :", "listed", BASH],
  ["typeset -x $(cat v); bash -c :", "listed", BASH],
  ["readonly $(cat v); export BASH_ENV; bash -c :", "listed", BASH],
  ["f() { local -x $(cat v); bash -c :; }; f", "listed", BASH],
  ["set -a; . ./v; bash -c :", "approved", BASH],
  ["set -o allexport; source v; set +a; bash -c :", "approved", BASH],
  ["set -a; . <(cat v); bash -c :", "listed", BASH],
  ["read BASH_ENV < v; export BASH_ENV; bash -c :", "listed", VALUE],
  ["read -r BASH_ENV < v; export BASH_ENV; bash -c :", "listed", VALUE],
  ["cat v | { read BASH_ENV; export BASH_ENV; bash -c :; }", "listed", VALUE],
  ['read NODE_OPTIONS <<< "$(cat v)"; export NODE_OPTIONS; node x.js', "listed", OPTION],
  ["IFS== read -r n BASH_ENV < v; export BASH_ENV; bash -c :", "listed", BASH],
  ["IFS== read -r n o < v; export $n=$o; bash -c :", "listed", BASH],
  ['while read -r l; do export "$l"; done < v; bash -c :', "listed", { ...BASH, v: `${BASH.v}\n` }],
  ["for l in $(cat v); do export $l; done; bash -c :", "listed", BASH],
  ["mapfile -t a < v; export ${a[@]}; bash -c :", "listed", BASH],
  ["mapfile -t BASH_ENV < v; export BASH_ENV; BASH_ENV=$BASH_ENV bash -c :", "listed", VALUE],
  ['readarray -t a < v; env "${a[@]}" bash -c :', "listed", BASH],
  ['a=$(<v); export "$a"; bash -c :', "listed", BASH],
  ["a=$(<v); export BASH_ENV=$a; bash -c :", "listed", VALUE],
  ['printf -v BASH_ENV %s "$(<v)"; export BASH_ENV; bash -c :', "listed", VALUE],
  ["eval $(cat v) bash -c :", "listed", BASH],
  ["eval export $(cat v); bash -c :", "listed", BASH],
  ['eval "$(sed s/^/export\\ / v)"; bash -c :', "listed", BASH],
  ["env $(cat v) bash -c :", "listed", BASH],
  ["env -i $(cat v) bash -c :", "listed", BASH],
  ["env $(cat v) node x.js", "listed", NODE],
  ["env - PATH=/usr/bin:/bin $(cat v) bash -c :", "listed", BASH],
  ["command env $(<v) bash -c :", "listed", BASH],
  ["xargs -a v env -S 'bash -c :' 2>&1; xargs -a v sh -c 'export $0; bash -c :'", "listed", BASH],
  ["xargs -a v sh -c 'export $1; bash -c :' _", "listed", BASH],
  ["xargs -I{} env {} bash -c : < v", "listed", BASH],
  ["cat v | xargs -I{} env {} bash -c :", "listed", BASH],
  ["NODE_OPTIONS=$(cat v) node x.js", "listed", OPTION],
  ["node $(cat v) x.js", "listed", OPTION],
  ["node $(<v) x.js", "listed", OPTION],
  ["BASH_ENV=$(cat v) bash -c :", "listed", VALUE],
  ["O=$(cat v); node $O x.js", "listed", OPTION],
  ["read O < v; node $O x.js", "listed", OPTION],
  ["read -a O < v; node ${O[@]} x.js", "listed", OPTION],
  ["mapfile -t O < v; node ${O[0]} x.js", "listed", OPTION],
  ["coproc cat v; read -u ${COPROC[0]} BASH_ENV; export BASH_ENV; bash -c :", "listed", VALUE],
  ["exec 3<v; read -u 3 BASH_ENV; export BASH_ENV; bash -c :", "listed", VALUE],
  ["IFS= read -rd '' BASH_ENV < <(tr -d '\\n' < v); export BASH_ENV; bash -c :", "listed", VALUE],
  ["declare -n r=BASH_ENV; read r < v; export BASH_ENV; bash -c :", "listed", VALUE],
  ["n=BASH_ENV; read $n < v; export $n; bash -c :", "listed", VALUE],
  ["export BASH_ENV; read -r BASH_ENV < v; bash -c :", "listed", VALUE],
  [
    "getopts x BASH_ENV; select BASH_ENV in $(cat v); do break; done <<< 1; export BASH_ENV; bash -c :",
    "listed",
    VALUE,
  ],
  ["for BASH_ENV in $(cat v); do export BASH_ENV; bash -c :; done", "listed", VALUE],
  ["export BASH_ENV=; : ${BASH_ENV:=$(cat v)}; bash -c :", "listed", VALUE],
  [
    ["node", "--env-file=v", "x.js"],
    "approved",
    { v: "W=SAY", "x.js": "console.log(process.env.W)" },
  ],
  [
    ["node", "--env-file-if-exists=v", "x.js"],
    "approved",
    { v: "W=SAY", "x.js": "console.log(process.env.W)" },
  ],
  [
    ["node", "--env-file", "v", "x.js"],
    "approved",
    { v: "W=SAY", "x.js": "console.log(process.env.W)" },
  ],
  [
    ["node", "--env-file=v", "x.js"],
    "listed",
    { v: "NODE_OPTIONS=--require=./y.cjs", "y.cjs": 'console.log("SAY")', "x.js": "" },
  ],
  [
    ["node", "--env-file=.env", "x.js"],
    "listed",
    { ".env": "NODE_OPTIONS='--require=./y.cjs'", "y.cjs": 'console.log("SAY")', "x.js": "" },
  ],
  [
    ["node", "x.js"],
    "listed",
    { "x.js": 'process.loadEnvFile("v"); console.log(process.env.W)', v: "W=SAY" },
  ],
  [["make", "-f", "m"], "listed", { m: "include v\nall:\n\t@echo $(W)\n", v: "W=SAY" }],
  [["sh", "x.sh"], "listed", { "x.sh": "export $(cat v)\nexec bash -c :", ...BASH }],
  [
    ["bash", "x.sh"],
    "listed",
    { "x.sh": "read BASH_ENV < v\nexport BASH_ENV\nbash -c :", ...VALUE },
  ],
  [["bash", "x.sh"], "listed", { "x.sh": "env $(cat v) bash -c :", ...BASH }],
  [["zsh", "-c", "export $(cat v); bash -c :"], "listed", BASH],
  ["set -- $(cat v); export $1; bash -c :", "listed", BASH],
  ['set -- $(cat v); env "$@" bash -c :', "listed", BASH],
  ["alias e='export $(cat v)'; shopt -s expand_aliases; eval e; bash -c :", "listed", BASH],
  ["export $(awk '{print}' v); bash -c :", "listed", BASH],
  ["export $(cut -d' ' -f1 < v); bash -c :", "listed", BASH],
  ["command export $(cat v); bash -c :", "listed", BASH],
  ["builtin export $(cat v); bash -c :", "listed", BASH],
  ['sudo -n true 2>/dev/null; env -u A --split-string="$(cat v) bash -c :"', "listed", BASH],
];

testEditedForms(sampled(FORMS));
