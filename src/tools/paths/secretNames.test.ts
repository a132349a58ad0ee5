import { expect, it } from 'vitest';
import { mayHoldSecrets } from './secretNames.ts';

const judge = (path: string): boolean => mayHoldSecrets(path.toLowerCase().split('/'));
const words = (text: string): readonly string[] => text.trim().split(/\s+/u);

it.each(
  words(`
    .env .env.local .env_prod .env-staging .env.local.bak env.production prod.env app.env prod.env.json .dev.vars.production .envrc
    id_rsa id_rsa_github id_ed25519-work id_ecdsa_sk server_rsa deploy_key ssh_host_rsa_key private_key private-key.pem privkey.pem
    server.key config/credentials/production.key cert.p12 release.keystore debug.jks secring.gpg secret.asc age-key.txt krb5.keytab
    credentials credentials.csv aws_credentials.json secrets.toml secrets-dev.yml prod-secrets.yml db_password.txt .vault_pass
    vault_password ansible_vault_pass token.json access_token.json github_token.txt api_key.txt api-keys.json client_secret_1.json
    service_account.json my-firebase-adminsdk-x.json gcp-key.json sa-key.json cookies.txt wallet.json mnemonic seed-phrase.txt
    recovery-codes.txt jwt.secret .claude/.credentials.json .gemini/oauth_creds.json accessKeys.csv
    application-prod.yml appsettings.Local.json wp-config.php local_settings.py terraform.tfstate terraform.tfstate.backup prod.tfvars.json
    .aws/config .kube/config .docker/config.json kubeconfig-prod admin.kubeconfig .rclone.conf
    .npmrc .netrc .pypirc .pgpass .git-credentials .git/config .git/modules/sub/config .git/modules/a/modules/b/config gh/hosts.yml auth.json
    sftp-config.json .ftpconfig client.ovpn wg0.conf wpa_supplicant.conf .bash_history .psql_history .node_repl_history cookies.sqlite
    key4.db session.har .ssh/known_hosts
  `),
)('%s may hold secrets', (path) => {
  expect(judge(path)).toBe(true);
});

it.each([
  ...words(`
    .env~ .env.swp #.env# .#.env .env.txt id_rsa.bak .id_rsa.swp id_rsa.zip server.key.bak secrets-old.yml credentials_backup.json
    .env.20260101 terraform.tfstate.1699999999.backup wp-config.php.orig backup-secrets.tar.gz old_id_rsa .env.1
  `),
  'credentials (1).json',
  'Copy of .env',
  'secrets copy.yml',
  'id_rsa - Copy',
])('so may %s, a copy of one', (path) => {
  expect(judge(path)).toBe(true);
});

it.each(
  words(`
    README.md package.json .env.example .env.sample .env.local.example example.env env.example secrets.example.yml secrets.yml.example
    config/database.yml web.config backup.sql app.mobileprovision gradle.properties nuget.config .yarnrc.yml core.1234 src/auth.json
    id_rsa.pub server.crt known_hosts design-tokens.json theme.tokens.json tokens.ts tokenizer_config.json special_tokens_map.json
    secrets.py password.ts password-reset.html token.go cookies.ts wallet.ts credentials.md docs/secrets.md credentials.yml.enc
    application.yml appsettings.json env.ts env.d.ts env.py vite-env.d.ts environment.prod.ts conda-env.yml keyboard.json monkey.json
    keymap.json hotkeys.json public.key.md HISTORY.md locales/en.json google-services.json package-lock.json
  `),
)('%s is what projects commit', (path) => {
  expect(judge(path)).toBe(false);
});

it.each(['a-key'.repeat(20_000), '.'.repeat(60_000), 'x~'.repeat(30_000), `${'copy of '.repeat(9_000)}x`])(
  'comes to an end for a long name',
  (name) => {
    expect(judge(name)).toBe(false);
  },
);
