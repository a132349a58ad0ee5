// Threat: reading a file that holds keys sends them to the model's provider. What people call such files is known for most of them; a
// copy, a backup or an editor's leftover of one holds the same. Names that projects commit as a rule are not among them.

/** One kind of files that may hold secrets. Everything in lower case. */
interface SecretName {
  readonly kind: string;
  /** Everything below a folder of one of these names, and a file of that name. */
  readonly folders?: readonly string[];
  /** Files of these names, anywhere; `folder/name` for one folder only. */
  readonly names?: readonly string[];
  /** Files of these names, only directly in the workspace folder. */
  readonly topNames?: readonly string[];
  /** Files whose name matches. */
  readonly name?: RegExp;
  /** Files whose path below the workspace folder matches. */
  readonly path?: RegExp;
}

const environment =
  '(?:dev|devel|development|prod|production|prd|stage|staging|stg|test|testing|qa|uat|ci|local|live|preprod|sandbox|private)';
/** Data, not code or prose: `secrets.py` and `secrets.md` speak of secrets. */
const data =
  '(?:\\.(?:txt|text|json|jsonc|json5|ya?ml|toml|ini|cfg|conf|config|properties|xml|csv|tsv|plist|db|sqlite3?|dat|bin|enc|list|log|gpg|asc|age))?';
const word =
  '(?:secrets?|passwords?|passwd|passphrase|credentials?|creds|api[-_]?keys?|(?:access|private|secret|signing|encryption|deploy|ssh|master|root)[-_]?keys?|tokens?|cookies?|mnemonic|(?:seed|recovery|backup)[-_]?(?:phrase|words|codes?)|vault[-_]?pass(?:word|wd)?|keystore|keyring|wallet|service[-_]?account|client[-_]?secret)';

/** All kinds. Where one of them does not fit a project, its files ask once more than they have to. */
const secretNames: readonly SecretName[] = [
  {
    kind: 'environment variables',
    names: ['.envrc', '.env-cmdrc'],
    name: new RegExp(
      `^\\.env(?:[._-].+)?$|^env\\.${environment}$|(?:^|.\\.)env(?:\\.${environment})?\\.(?:json|ya?ml|toml|ini|txt|list|enc)$|\\.env(?:\\.${environment})?$|^\\.dev\\.vars(?:\\..+)?$`,
      'u',
    ),
  },
  {
    kind: 'keys of SSH, TLS and signatures',
    folders: ['.ssh', '.gnupg', '.cloudflared'],
    names: [
      'privkey',
      'keys.txt',
      'key.txt',
      'key.json',
      'keys.json',
      'key.properties',
      'keyfile',
      'keyfile.json',
      'identity',
    ],
    name: /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?!.*\.pub$)(?:[._-].*)?$|^(?:.*[._-])?(?:rsa|dsa|ecdsa|ed25519|deploy|host|ssh|private|priv|age|gcp|gcloud|aws|azure|firebase|google|sa|signing|upload|release|api|access|root)[_-]?keys?(?:\.(?:json|txt|csv|xml|ya?ml|asc|pem|der|properties|p8))?$|_(?:rsa|dsa|ecdsa|ed25519)$|\.(?:pem|key|p8|p12|pfx|pkcs12|jks|jceks|bks|keystore|kdb|kdbx|ppk|priv|private|keytab|agekey|gpgkey|keychain|keychain-db|keyring|psafe3|publishsettings)$|^(?:.*[._-])?(?:private|secret|sec|priv|secring).*\.(?:asc|gpg|pgp)$|^secring\b/u,
  },
  {
    kind: 'passwords, tokens and the like by their names',
    folders: ['.password-store', 'keyrings'],
    names: [
      '.secrets',
      'shadow',
      'htpasswd',
      '.htpasswd',
      '.htdigest',
      'wallet.dat',
      '.wallet',
      'accesskeys.csv',
      'rootkey.csv',
      'ansible-vault.txt',
      '.vault-token',
      'signing.properties',
      'keystore.properties',
      'credentials-config.json',
      'seed.txt',
      'oauth_creds.json',
    ],
    name: new RegExp(
      `^\\.?(?:${environment}[._-])?${word}(?:[._-]${environment})?${data}$|^(?!.*(?:design|color|colour|theme|style|css)).+[._-]${word}(?<!tokens)${data}$|^.*(?:access|auth|api|refresh|oauth|bearer|bot)[._-]?tokens?${data}$|\\.(?:secrets?|passwords?|passwd|creds|credentials?|token|wallet)$|^client_?secret.*\\.json$|^(?:.*[._-])?service[-_]?account.*\\.json$|adminsdk.*\\.json$|^\\.?(?:ansible[._-])?vault[-_]?pass(?:word|wd)?(?:[._-].*)?$|^utc--`,
      'u',
    ),
  },
  {
    kind: 'settings of one environment',
    names: [
      'local_settings.py',
      'settings_local.py',
      'wp-config.php',
      'localsettings.php',
      'parameters.yml',
      'unattend.xml',
      'autounattend.xml',
    ],
    name: new RegExp(
      `^application-${environment}\\.(?:properties|ya?ml)$|^appsettings\\.${environment}\\.json$|\\.tfstate(?:\\..+)?$|\\.tfvars(?:\\.json)?$`,
      'u',
    ),
  },
  {
    kind: 'accounts of clouds and clusters',
    folders: ['.aws', '.azure', '.kube', '.docker', '.gcloud', 'gcloud', '.oci', '.bluemix', '.fly'],
    names: [
      '.s3cfg',
      '.boto',
      '.passwd-s3fs',
      '.terraformrc',
      'terraform.rc',
      '.dockercfg',
      '.dockerconfigjson',
      '.databrickscfg',
      'kube-config',
      'kube.config',
      'k3s.yaml',
      'azureprofile.json',
      'kaggle.json',
      '.sentryclirc',
      'ngrok.yml',
      'rclone.conf',
      '.rclone.conf',
      'doctl/config.yaml',
      '.chef/knife.rb',
    ],
    name: /^\.?kubeconfig(?:[._-].*)?$|\.kubeconfig$|^krb5cc_|^\.?kube[-_.]?config(?:\.ya?ml)?$/u,
  },
  {
    kind: 'logins of tools',
    names: [
      '.npmrc',
      '.netrc',
      '_netrc',
      '.authinfo',
      '.authinfo.gpg',
      '.pypirc',
      '.pgpass',
      'pgpass.conf',
      '.my.cnf',
      '.mylogin.cnf',
      '.git-credentials',
      '.gitcookies',
      '.hgrc',
      '.hg/hgrc',
      '.git/config',
      'auth-profiles.json',
      '.composer/auth.json',
      'gh/hosts.yml',
      'glab-cli/config.yml',
      '.m2/settings.xml',
      'settings-security.xml',
      '.bundle/config',
      '.codex/auth.json',
      '.claude.json',
      '.smbcredentials',
      '.msmtprc',
      '.fetchmailrc',
      '.rhosts',
      '.twurlrc',
      'hub',
    ],
    // Composer's; deeper ones of the name are often translations.
    topNames: ['auth.json'],
    path: /^\.git\/modules\/(?:.+\/)?config$|^\.git\/config\.worktree$/u,
  },
  {
    kind: 'logins of file transfers, remote desktops and networks',
    names: [
      'sftp-config.json',
      'sftp.json',
      '.ftpconfig',
      '.ftppass',
      '.remote-sync.json',
      'filezilla.xml',
      'sitemanager.xml',
      'recentservers.xml',
      'winscp.ini',
      'wpa_supplicant.conf',
      'ipsec.secrets',
      'chap-secrets',
      'pap-secrets',
    ],
    name: /\.(?:ovpn|nmconnection|pcf|rdp|tblk)$|^(?:wg\d+|wg-.*|wireguard.*)\.conf$/u,
  },
  {
    kind: 'what was typed before, and what browsers keep',
    names: [
      '.histfile',
      '.lesshst',
      '.viminfo',
      '.dbshell',
      'fish_history',
      'consolehost_history.txt',
      'cookies',
      'login data',
      'logins.json',
      'key3.db',
      'key4.db',
      'signons.sqlite',
      'web data',
    ],
    name: /^\.[\w-]*history$|\.har$/u,
  },
];

/** Show which variables or fields there are, and are committed for that. */
const examples = /(?:^|[._-])(?:example|sample|template|tmpl|tpl|dist|defaults?|schema)(?:[._-]|$)/u;

/** Endings of copies: of editors, of people, of archives. */
const copyEndings =
  /~+$|[._-](?:bak|back|backup|old|orig|original|save|saved|copy|prev|previous|disabled|rej|\d{1,4}|\d{4}-?\d{2}-?\d{2}(?:[t_-]?\d{4,6})?)$|\.(?:sw[a-p]|tmp|temp|gz|bz2|xz|zst|zip|tar|tgz|7z|txt)$|\s?\(\d+\)$| ?- copy$| copy(?: \d+)?$|#$/u;
/** The same in front of the ending: `secrets-old.yml`, `credentials (1).json`. */
const copyMiddle =
  /(?:[._-](?:bak|backup|old|orig|copy)|\s?\(\d+\)|\s?- copy| copy(?: \d+)?)(?=\.[a-z0-9]+$)/u;
const copyBeginnings = /^(?:copy of |\.?#|\.~|~\$|(?:old|backup|bak)[-_.])/u;
const maxCopies = 4;

const folders = new Set(secretNames.flatMap((kind) => kind.folders ?? []));
const files = new Set(secretNames.flatMap((kind) => kind.names ?? []));
const topFiles = new Set(secretNames.flatMap((kind) => kind.topNames ?? []));
const patterns = secretNames.flatMap((kind) => kind.name ?? []);
const paths = secretNames.flatMap((kind) => kind.path ?? []);

/** Whether a file of this name is likely to hold secrets. `names` are the path's segments below its root, in lower case. Pure. */
export function mayHoldSecrets(names: readonly string[]): boolean {
  const last = names.at(-1);
  if (last === undefined) return false;
  if (names.some((name) => folders.has(name))) return true;
  const parent = names.at(-2);
  return (
    originalsOf(last).some((name) => !examples.test(name) && isSecretName(name, parent)) ||
    (names[0] === '.git' && paths.some((path) => path.test(names.join('/'))))
  );
}

function isSecretName(name: string, parent: string | undefined): boolean {
  if (files.has(name) || patterns.some((pattern) => pattern.test(name))) return true;
  return parent === undefined ? topFiles.has(name) : files.has(`${parent}/${name}`);
}

/** The name, and those that it may be a copy of. */
function originalsOf(name: string): readonly string[] {
  const found = [name];
  for (let at = 0; at < found.length && at < maxCopies; at += 1) {
    const from = found[at] ?? '';
    for (const part of [copyEndings, copyMiddle, copyBeginnings]) {
      const original = from.replace(part, '');
      if (original !== '' && !found.includes(original)) found.push(original);
    }
  }
  return found.flatMap((each) => (/^\.[^.]/u.test(each) && each !== name ? [each, each.slice(1)] : [each]));
}
