// Programs that use the network, by their names and their verbs.

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Their words are addresses, with or without a scheme. */
export const ADDRESSED = names(
  `curl curlie wget wget2 http https httpie xh aria2c axel lynx links elinks w3m httrack get post lwp-request lwp-download
   lwp-mirror ssh scp sftp ftp lftp tftp ftpput ftpget ncftpput ncftpget rsync mosh autossh plink pscp psftp putty sshfs sshuttle
   rsh rlogin rexec ping fping hping3 arping dig drill nslookup host nc ncat netcat socat telnet whois finger talk traceroute
   tracepath mtr ssh-keyscan ssh-copy-id websocat wscat grpcurl evans nc.openbsd nc.traditional nmap masscan zmap mosquitto_pub mosquitto_sub kcat kafkacat
   nats smbclient ldapsearch snmpwalk snmpget showmount rpcinfo swaks sendmail msmtp mailx mutt s-nail nail iperf iperf3 speedtest
   ntpdate rdate vncviewer rdesktop xfreerdp openvpn irssi weechat streamlink youtube-dl yt-dlp gallery-dl cqlsh influx sqlplus
   mount.nfs mount.cifs ztcp tcp_open vegeta hey wrk ab siege bombardier oha autocannon systemd-resolve kdig delv doggo unbound-host
   dbclient cryptcat pwncat openconnect vpnc iodine dns2tcpc proxytunnel corkscrew ncftp tnftp curlftpfs cadaver smbget rpcclient
   snmpset snmptrap ldapadd ldapmodify stomp rabbitmqadmin amqp-publish mqttx coap-client kafka-console-producer rpk neomutt mpack
   ssmtp sendxmpp x11vnc chronyd ntpdig sntp pdsh clush mussh nikto hydra medusa
   ntpq ntpdc chronyc add-apt-repository apt-add-repository
   subfinder amass httpx nuclei ffuf feroxbuster gobuster sqlmap wpscan whatweb dirb theharvester zsync newman locust`,
);

/** They send, deploy, tunnel or ask elsewhere in whatever they do. */
export const CLOUD = names(
  `aws gcloud gsutil az azcopy b2 heroku fly flyctl vercel netlify wrangler firebase surge railway rclone s3cmd restic borg
   duplicity unison croc wormhole magic-wormhole ngrok cloudflared lt localtunnel tailscale wg-quick nordvpn tor pssh
   parallel-ssh parallel-scp ansible-pull fab salt telegram-send slackcat ntfy sentry-cli codecov datadog-ci certbot acme.sh
   crane oras skopeo semantic-release mc s5cmd doctl linode-cli hcloud scw ibmcloud oci aliyun ossutil coscmd frpc chisel bore zrok
   inlets localxpose tmate upterm gotty ttyd netbird zerotier-cli gost v2ray xray sing-box sslocal ss-local ipfs syncthing
   megaput mega-put gdrive ffsend pastebinit wgetpaste twilio signal-cli telegram-cli matrix-commander mmctl zulip-send gotify toot
   himalaya mbsync offlineimap fetchmail transmission-cli transmission-remote webtorrent tarsnap kopia rdiff-backup mutagen
   huggingface-cli kaggle wandb deployctl kamal caprover dput llm sgpt mods aichat stunnel stunnel4
   snowsql bq argocd databricks eksctl dokku contentful sfdx cf pscale turso neonctl upstash appcenter mullvad expressvpn protonvpn
   protonvpn-cli warp-cli boundary tsh gh-pages
   netlify-cli firebase-tools degit tiged giget coveralls sonar-scanner hf modal runpodctl replicate gist`,
);

const FLY_READS = /^(?:status|logs|releases|(?:apps|machines?|volumes|regions|ips) list)( |$)/;
/** What they only ask their cloud for, as `kubectl get` asks a cluster; nothing that hands out keys. */
export const CLOUD_READS: Readonly<Record<string, RegExp>> = {
  aws: /^(?!.*(?:secret|password|token|parameter|get-object|https?:))(?:[\w-]+ )(?:(?:describe|list|get|head|lookup|filter|search|validate|estimate)-\w|(?:ls|tail|wait)( |$))/,
  gcloud: /^(?!secrets|.*(?:print-|https?:))(?:[\w-]+ ){1,4}(?:list|describe|read)( |$)/,
  az: /^(?!keyvault|.*(?:token|https?:))(?:[\w-]+ ){1,4}(?:list|show|tail)( |$)/,
  ...{ fly: FLY_READS, flyctl: FLY_READS },
  heroku: /^(?:ps|releases|apps|apps:info|info|pg:info|buildpacks)( |$)/,
  vercel: /^(?:ls|list|inspect|logs|whoami|(?:env|domains|alias) ls)( |$)/,
  netlify: /^(?:status|sites:list)( |$)/,
  wrangler: /^(?:whoami|tail|(?:deployments|versions|d1|kv namespace|r2 bucket) list)( |$)/,
  railway: /^(?:status|logs|list)( |$)/,
  doctl: /^(?:[\w-]+ ){1,3}(?:list|get)( |$)/,
  argocd: /^app (?:list|get|diff|history|logs)( |$)/,
};

const GRADLE_UPLOADS = /^(?:publishToMavenLocal )?(?:publish(?!ToMavenLocal)|upload)/;
/** What leaves the machine for good, by the words behind the program. */
export const UPLOADS: Readonly<Record<string, RegExp>> = {
  npm: /^(pub(?:l|li|lis|lish)?|unpublish|deprecate|login|adduser|token|owner|access|hook|team|org|profile|star|unstar|trust|stage|dist-tag (add|rm))\b/,
  pnpm: /^(publish|deploy)\b/,
  yarn: /^(publish|npm publish)\b/,
  bun: /^publish\b/,
  deno: /^(publish|deploy)\b/,
  jsr: /^publish\b/,
  lerna: /^publish\b/,
  nx: /^release\b/,
  changeset: /^publish\b/,
  vsce: /^(publish|login)\b/,
  ovsx: /^publish\b/,
  cargo: /^(publish|login|yank|owner)\b/,
  gem: /^(push|yank|owner)\b/,
  poetry: /^publish\b/,
  uv: /^publish\b/,
  flit: /^publish\b/,
  hatch: /^publish\b/,
  pdm: /^publish\b/,
  twine: /^(?!check\b)./,
  mvn: /(^|:| )(deploy|site-deploy|release:perform)\b/,
  gradle: GRADLE_UPLOADS,
  gradlew: GRADLE_UPLOADS,
  sbt: /^publish(Signed)?\b/,
  lein: /^deploy\b/,
  stack: /^upload\b/,
  cabal: /^upload\b/,
  mix: /^hex\.publish\b/,
  dotnet: /^nuget push\b/,
  nuget: /^push\b/,
  luarocks: /^upload\b/,
  dart: /^pub publish\b/,
  flutter: /^pub publish\b/,
  pod: /^trunk push\b/,
  snapcraft: /^(upload|push|login)\b/,
  docker: /^(push|login|image push|compose push|swarm join|trust|scout|plugin (push|install))\b/,
  podman: /^(push|login|image push)\b/,
  nerdctl: /^(push|login)\b/,
  buildah: /^(push|login)\b/,
  helm: /^(push|registry login)\b/,
  terraform: /^login\b/,
  pulumi: /^(up|login|destroy)\b/,
  cdk: /^(deploy|destroy|bootstrap)\b/,
  sam: /^(deploy|sync|publish)\b/,
  serverless: /^(deploy|remove)\b/,
  sls: /^(deploy|remove)\b/,
  eb: /^(deploy|create)\b/,
  amplify: /^(push|publish)\b/,
  supabase: /^(db push|login|link|functions deploy|secrets set)\b/,
  cap: /\bdeploy\b/,
  stripe: /^(listen|login|trigger)\b/,
  snyk: /^(test|monitor|auth)\b/,
  ...{ code: /^tunnel\b/, cursor: /^tunnel\b/, windsurf: /^tunnel\b/ },
  hub: /^(gist create|release create|create)\b/,
  semgrep: /^(ci|login|publish)\b/,
  openai: /^api\b/,
  playwright: /^(open|codegen|screenshot|pdf|cr|ff|wk) (?!\w+:\/\/|-)[^/\s]+\.\w/,
  gh: /^(gist create|release (create|upload)|secret set|ssh-key add|codespace cp|repo create|auth login)\b/,
  glab: /^(snippet create|release (create|upload)|repo create|auth login)\b/,
  openssl: /^(s_client|s_time|ocsp|cmp)\b/,
  getent: /^a?hosts\w* ./,
  resolvectl: /^query\b/,
  ollama: /^push\b/,
  ipsec: /^(up|start|restart|route)\b/,
  nmcli: /^(c\w* (up|add|import)|d\w* (wifi|connect))\b/,
  wg: /^(set|setconf|addconf|syncconf)\b/,
  adb: /^(connect|pair)\b/,
  nomad: /^(run|stop|(job (?!validate|init)|alloc|node|var|system|acl|operator|volume) ?\w)/,
  consul: /^(kv|join|snapshot|acl|services|config|intention|members|catalog|event|exec|login)\b/,
  vault:
    /^(kv|read|write|delete|list|login|token|secrets|auth|policy|operator|unwrap|ssh|lease|status)\b/,
  goreleaser: /^(release|publish|announce|continue)\b/,
  "release-it": /./,
  np: /./,
  convex: /^(deploy|import|export|run|data|env)\b/,
  eas: /^(submit|build|update|deploy|upload|login|metadata|secret|env)\b/,
  expo: /^(publish|upload|login)\b/,
  flux: /^(reconcile|bootstrap|create|push|delete|suspend|resume)\b/,
  shopify: /^(theme (push|publish|share|pull)|app (deploy|release)|auth)\b/,
  sanity: /^(deploy|login|dataset (import|export|create|delete)|graphql deploy)\b/,
  sf: /^(project (deploy|retrieve)|org|data|deploy|apex)\b/,
  fastlane:
    /^(deliver|supply|pilot|release|beta|deploy|match|upload\w*|submit\w*|action upload\w*)\b/,
  xcrun: /^(altool|notarytool)\b/,
  k6: /^cloud\b/,
  artillery: /^(run|quick)/,
  step: /^(ca|ssh)\b/,
  cosign: /^(sign|attest|upload|copy|attach|verify|login|download)\b/,
  notation: /^(sign|push|login|verify)\b/,
  conan: /^(upload|remote (login|auth))\b/,
  dvc: /^(push|pull|fetch|remote add)\b/,
};

/** `tar cf host:file` goes over ssh or rsh. */
const REMOTE_TAPE =
  /^(?!.*--force-local).*(^|\s)(-?\w{0,12}[fFO]|--file)[ =]?[\w.-]{1,100}(@[\w.-]{1,100})?:/;

/** By an option. */
export const SENDS: Readonly<Record<string, RegExp>> = {
  gpg: /--(send|recv|receive|search|refresh|fetch)-keys?|--keyserver|--auto-key|--locate-/,
  gpg2: /--(send|recv|receive|search|refresh|fetch)-keys?|--keyserver|--auto-key|--locate-/,
  logger: /(^| )(-n|--server)/,
  mail: /@/,
  awk: /\/inet[46]?\//,
  gawk: /\/inet[46]?\//,
  vim: /[a-z]:\/\//,
  nvim: /[a-z]:\/\//,
  duckdb: /\w:\/\//,
  docker: /^(buildx )?build\b.* --push\b/,
  podman: /^build\b.* --push\b/,
  ansible: /^(?!.*--(syntax-check|list-\w+)).*( |^)(-i|--inventory)/,
  "ansible-playbook": /^(?!.*--(syntax-check|list-\w+)).*( |^)(-i|--inventory)/,
  "apt-key": /--recv-keys/,
  swanctl: /(^| )(-i|--initiate)/,
  k6: /(^| )(-o|--out)[ =]cloud/,
  gh: /(^| )--hostname\b/,
  code: /--remote[ =]/,
  keytool: /(^| )-sslserver\b/,
  cvs: /:(pserver|ext|gserver):/,
  p4: /(^| )-p ?\S/,
  ...{ tar: REMOTE_TAPE, gtar: REMOTE_TAPE, cpio: REMOTE_TAPE },
  mount: /(^| )[\w.-]+:\/|(^| )\/\/[\w.-]+\//,
};

export const EVERYDAY = names(
  `gh glab kubectl helm terraform apt apt-get dnf yum apk pacman brew npx bunx`,
);

/** `npm install` and its like, by their first word. */
export const VERBS: Readonly<Record<string, RegExp>> = {
  npm: /^(i|install|ci|add|update|view|info|search|outdated|audit|exec|x|create|init|ping|whoami|dist-tag)$/,
  pnpm: /^(i|install|add|update|view|outdated|audit|dlx|create)$/,
  yarn: /^(|install|add|up|upgrade|dlx|create|npm)$/,
  bun: /^(i|install|add|update|x|create)$/,
  pip: /^(install|download|index|search|wheel)$/,
  pip3: /^(install|download|index|search|wheel)$/,
  uv: /^(pip|add|sync|lock|tool)$/,
  poetry: /^(install|add|update|lock)$/,
  cargo: /^(install|add|update|search|fetch|build|run|test|check)$/,
  go: /^(get|install|mod)$/,
  rustup: /^(update|install|toolchain|component|target|self)$/,
  gem: /^(install|update|fetch)$/,
  bundle: /^(install|update|add)$/,
  docker: /^(pull|build|run|search|compose)$/,
  podman: /^(pull|build|run|search)$/,
};

/** An address among their words is text, or where something local is to be reached. */
export const TEXTS = names(
  `echo printf export declare local readonly typeset set test [ [[ sed gsed awk gawk grep rg jq yq cat tee
   sqlite3 adj make just task`,
);

/** They talk to a server in whatever they do, and the option or the variable says to which. */
export const CLIENTS = /^(docker|podman|nerdctl|kubectl|oc|helm)$/;
const CLIENT_HOST = /^(?:-H|--host|--server|--kube-apiserver)(?:=(.*))?$|^-H(\w+:\/\/.*)$/;
/** `-s` of `docker run x npm run -s test` is npm's. */
const CLUSTER_HOST = /^(?:-s|--server|--kube-apiserver)(?:=(.*))?$|^-s(\w+:\/\/.*)$/;

/** `docker -H 10.0.0.1:2375 ps`. */
export const clientHosts = ([program = "", ...words]: readonly string[]): string[] => {
  const option = /^(kubectl|oc)$/.test(program) ? CLUSTER_HOST : CLIENT_HOST;
  // Behind it stands what runs in a container.
  const args = words.slice(0, words.includes("--") ? words.indexOf("--") : undefined);
  return args.flatMap((arg, index) => {
    const match = option.exec(arg);
    const host = match === null ? undefined : (match[1] ?? match[2] ?? args[index + 1]);
    return host === undefined || /^(unix|npipe|fd):|^\//.test(host) ? [] : [host];
  });
};
