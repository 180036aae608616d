// How dangerous a program is by its name alone.

const words = (text: string): string[] => text.trim().split(/\s+/);

export const READ_ONLY: ReadonlySet<string> = new Set(
  words(`
  : [ ack ag alias apropos arch b2sum base32 base64 basename bat batcat bg break builtin bzcat
  cal caller cat cd cksum clear cloc cmp column comm command continue cut
  date declare delta df diff diff3 dir dircolors dirname dirs disown du echo egrep env eval exit
  expand export expr eza exa factor false fg fgrep file fmt fold free getconf getent
  getopt getopts grep groups head help hexdump hexyl history htop iconv id   info ipcs jobs join jq last less let local locale locate logname logout look ls
  lsattr lsb_release lsblk lscpu lsmod lsof lspci lsusb man md5 md5sum mdfind more nl nm nproc
  numfmt objdump od otool paste pathchk pgrep pidof popd pr printenv printf ps pstree pushd pwd pwdx
  read readelf readlink readonly realpath return rev rg seq set sha1sum sha224sum sha256sum
  sha384sum sha512sum shasum shift shopt size sleep stat strings stty suspend sum sw_vers tac
  tail test time times timeout tldr tokei top tput tr trap tree true tsort tty type typeset ulimit
  umask unalias uname unexpand unset uptime vmstat w wait watch wc whatis whereis which who whoami
  xargs xzcat yes zcat zdiff zgrep zless zmore exec nice nohup stdbuf setsid noglob
  nocorrect - unbuffer ionice taskset chrt parallel cross-env strace ltrace caffeinate flock find fd
  fdfind
`),
);

export const NETWORK: ReadonlySet<string> = new Set(
  words(
    "ping ping6 dig nslookup host traceroute tracepath mtr whois telnet nc ncat netcat socat lynx w3m",
  ),
);

export const DESTRUCTIVE: ReadonlySet<string> = new Set(
  words(`
  rm unlink shred srm wipe wipefs mkfs mkswap fdisk sfdisk gdisk sgdisk parted cfdisk blkdiscard
  truncate shutdown reboot halt poweroff init userdel groupdel deluser delgroup dropdb dropuser
  killall pkill trash cryptsetup lvremove vgremove pvremove zpool diskutil hdparm bfg
`),
);

/** With nothing but a question for its version, each of these only prints. */
export const VERSIONED: ReadonlySet<string> = new Set(
  words(`
  node npm npx pnpm yarn bun deno python python2 python3 pip pip3 uv poetry ruby gem bundle perl php
  composer go cargo rustc rustup gcc g++ clang cc make cmake ninja java javac mvn gradle kotlin swift
  dotnet docker kubectl helm terraform aws gcloud az gh glab tsc eslint prettier biome vitest jest
  bash sh zsh dash curl wget ssh psql mysql sqlite3 redis-cli claude codex gemini qwen copilot adj
`),
);
