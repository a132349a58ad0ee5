// Keys that show what they are, wherever they stand. The text may be hostile, so every repetition has a limit or can't be split in
// two ways.

/** One kind of secret that is known by its form. */
interface SecretShape {
  /** What it is, as people read it. */
  readonly name: string;
  /** Group `before`, where there is one, stays in front; what follows it is the secret. */
  readonly shape: RegExp;
}

/** All of them, in the order in which they are taken out. */
export const secretShapes: readonly SecretShape[] = [
  {
    name: 'private key',
    shape:
      /-----BEGIN [A-Z ]{0,30}(?:PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----(?:[^-]|-(?!----)){0,16384}(?:-----END [A-Z ]{0,30}(?:PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----)?/gu,
  },
  {
    name: 'putty key',
    shape: /(?<before>\bPrivate-Lines: \d{1,4}\r?\n)(?:[A-Za-z0-9+/=]{1,100}\r?\n){1,200}/gu,
  },
  {
    name: 'kubeconfig key',
    shape: /(?<before>\bclient-key-data["']?\s{0,8}:\s{0,8}["']?)[A-Za-z0-9+/=]{40,20000}/gu,
  },
  {
    name: 'password hash',
    shape: /\$(?:apr1|1|2[abxy]|5|6|y|argon2(?:id?|d)|scrypt)\$[\w./$=,+-]{20,200}/gu,
  },

  { name: 'aws access key', shape: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/gu },
  {
    name: 'aws secret key',
    shape: /(?<before>\b(?:aws_?)?secret_?access_?key["']?\s{0,8}[=:]\s{0,8}["']?)[A-Za-z0-9/+=]{40}/giu,
  },
  {
    name: 'aws session token',
    shape: /(?<before>\b(?:aws_?)?session_?token["']?\s{0,8}[=:]\s{0,8}["']?)[A-Za-z0-9/+=]{60,4096}/giu,
  },
  { name: 'github token', shape: /\bgh[pousr]_[A-Za-z0-9]{36,255}/gu },
  { name: 'github fine-grained token', shape: /\bgithub_pat_\w{22,255}/gu },
  {
    name: 'gitlab token',
    shape: /\bgl(?:pat|dt|ptt|rt|oas|soat|ft|imt|agent|cbt)-[\w-]{20,255}(?:\.[\w-]{1,255}){0,3}/gu,
  },
  { name: 'npm token', shape: /\bnpm_[A-Za-z0-9]{36}/gu },
  {
    name: 'npm login',
    shape: /(?<before>(?<!\w)_(?:auth|password)\s{0,8}=\s{0,8}["']?)[A-Za-z0-9+/]{8,4096}={0,2}/gu,
  },
  { name: 'docker login', shape: /(?<before>"auth"\s{0,8}:\s{0,8}")[A-Za-z0-9+/]{12,4096}={0,2}(?=")/gu },
  {
    name: 'composer login',
    shape: /(?<before>"(?:github|gitlab|bitbucket)[\w.-]{0,40}"\s{0,8}:\s{0,8}")[0-9a-f]{40}(?=")/gu,
  },
  { name: 'docker hub token', shape: /(?<![\w-])dckr_pat_[\w-]{27}/gu },
  { name: 'crates.io token', shape: /(?<!\w)cio[A-Za-z0-9]{32}(?!\w)/gu },
  { name: 'rubygems key', shape: /(?<!\w)rubygems_[0-9a-f]{48}/gu },
  { name: 'nuget key', shape: /(?<!\w)oy2[a-z2-7]{43}(?!\w)/gu },
  { name: 'hugging face token', shape: /\bhf_[A-Za-z0-9]{30,255}/gu },
  {
    name: 'slack token',
    shape: /\b(?:xox[abeoprs]-[A-Za-z0-9-]{10,255}|xapp-[\w-]{20,255})/gu,
  },
  {
    name: 'slack webhook',
    shape: /(?<before>\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)[TE][\w/]{20,100}/gu,
  },
  {
    name: 'discord webhook',
    shape: /(?<before>\bdiscord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/)[\w-]{50,100}/gu,
  },
  { name: 'teams webhook', shape: /(?<before>\.webhook\.office\.com\/webhookb2\/)[\w@/-]{60,200}/gu },
  { name: 'discord token', shape: /(?<![\w.-])[MNO][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,45}(?![\w.-])/gu },
  { name: 'telegram token', shape: /(?<!\d)\d{8,10}:AA[\w-]{33}/gu },
  { name: 'stripe key', shape: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}/gu },
  { name: 'twilio key', shape: /\bSK[0-9a-f]{32}\b/gu },
  { name: 'sendgrid key', shape: /\bSG\.[\w-]{16,255}\.[\w-]{16,255}/gu },
  { name: 'anthropic key', shape: /(?<![\w-])sk-ant-[\w-]{20,512}/gu },
  // A run of such characters is looked at once, from its start.
  { name: 'openai key', shape: /\bsk-(?=[\w-]{0,100}\d)[\w-]{20,512}/gu },
  { name: 'google api key', shape: /\bAIza[\w-]{35,255}/gu },
  { name: 'google oauth secret', shape: /(?<![\w-])(?:GOCSPX-|ya29\.|1\/\/0)[\w-]{20,512}/gu },
  { name: 'voyage key', shape: /(?<![\w-])pa-(?=[\w-]{0,100}\d)[\w-]{40,255}/gu },
  { name: 'airtable token', shape: /(?<![\w-])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/gu },
  { name: 'facebook token', shape: /(?<![\w-])EAA[A-Za-z0-9]{90,400}/gu },
  { name: 'mapbox token', shape: /(?<![\w-])sk\.eyJ[\w-]{20,300}\.[\w-]{20,100}/gu },
  { name: 'notion token', shape: /(?<![\w-])secret_[A-Za-z0-9]{43}(?!\w)/gu },
  { name: 'terraform token', shape: /(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,80}/gu },
  { name: 'digitalocean token', shape: /(?<![\w-])do[opr]_v1_[0-9a-f]{64,512}/gu },
  { name: 'vault token', shape: /(?<![\w-])hv[sbr]\.[\w-]{20,512}/gu },
  { name: 'shopify token', shape: /(?<![\w-])shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32,512}/gu },
  { name: 'pypi token', shape: /(?<![\w-])pypi-[\w-]{50,512}/gu },
  { name: 'age key', shape: /(?<![\w-])AGE-SECRET-KEY-1[\w-]{20,512}/gu },
  {
    name: 'api token',
    shape:
      /(?<![\w-])(?:whsec_|gsk_|xai-|pplx-|r8_|lin_api_|ntn_|glsa_|glc_|figd_|PMAK-|NRAK-|HRKU-|sntrys_|ATATT3x|sq0(?:atp|csp)-|pscale_(?:pw|tkn|oauth)_|sbp_|fo1_|dp\.(?:pt|st|ct|sa|scim|audit)\.|CCIPAT_)(?=[\w-]{0,100}\d)[\w-]{20,512}/gu,
  },
  { name: 'api key', shape: /(?<![\w-])(?:key-|dapi)[0-9a-f]{32}(?!\w)/gu },
  { name: 'azure storage key', shape: /(?<before>\bAccountKey=)[A-Za-z0-9+/]{40,100}={0,2}/gu },
  {
    name: 'signature of an address',
    shape: /(?<before>[?&](?:sig|X-Amz-Signature|X-Goog-Signature)=)[\w%+/.-]{30,1024}/gu,
  },
  { name: 'json web token', shape: /(?<![\w-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}(?:\.[\w-]{0,2000}){1,3}/gu },

  {
    name: 'authorization header',
    shape: /(?<before>\bAuthorization["']?\s{0,8}:\s{0,8}["']?(?:Basic|Token)\s{1,8})[\w.~+/=-]{8,4096}/giu,
  },
  {
    name: 'authorization header',
    shape:
      /(?<before>\bAuthorization["']?\s{0,8}:\s{0,8}["']?Bearer\s{1,8})(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{8,4096}/giu,
  },
  {
    name: 'bearer token',
    shape: /(?<before>\bBearer\s{1,8})(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{16,4096}/gu,
  },
  { name: 'api key header', shape: /(?<before>\bx-api-key["']?\s{0,8}:\s{0,8}["']?)[\w.~+/=-]{16,4096}/giu },
  {
    name: 'session cookie',
    shape:
      /(?<before>\b(?:(?:php|j)?sess(?:ion)?(?:[_.-]?id)?|connect\.sid|sid|auth[_-]?token)=)(?=[\w%.+-]{0,60}\d)[\w%.+-]{20,4096}/giu,
  },

  {
    name: 'password',
    shape:
      /(?<before>:\/\/[^\s/:@]{0,100}:)(?![$<{%]|(?:pass(?:word|wd)?|pwd?|secret|x{3,9}|\*{1,9})@)[^\s/@]{1,200}(?=@)/gu,
  },
  { name: 'token in an address', shape: /(?<before>:\/\/)(?=[\w-]{0,60}\d)[\w-]{20,255}(?=@[\w-])/gu },
  {
    name: 'netrc password',
    shape: /(?<before>\blogin\s{1,8}\S{1,100}\s{1,8}password\s{1,8})(?![$<{%])\S{4,200}/gu,
  },
  {
    name: 'password argument',
    shape: /(?<before>\bmysql(?:dump|admin|import)?\s(?:[^\n|;&]{0,200}\s)?-p)(?![$\s"'-])\S{4,200}/gu,
  },
  {
    name: 'password argument',
    shape:
      /(?<before>\b(?:sshpass|docker\s{1,8}login|podman\s{1,8}login)\s(?:[^\n|;&]{0,200}\s)?-p\s{0,8}["']?)(?![$\s"'-])[^\s"']{4,200}/gu,
  },
  {
    name: 'password argument',
    shape:
      /(?<before>\bcurl\s(?:[^\n|;&]{0,300}\s)?(?:-u|--user)[\s=]{1,8}["']?[^\s:"'$]{1,100}:)(?![$<{%])[^\s"']{3,200}/gu,
  },
  {
    name: 'pgpass password',
    shape:
      /(?<before>^[\w.*-]{1,100}:(?:\d{2,5}|\*):[^:\s/]{1,60}:[^:\s/]{1,60}:)(?=[^\s:]{0,60}[\d!@#$%^&*])[^\s:]{6,200}$/gmu,
  },
  {
    name: 'wordpress salt',
    shape:
      /(?<before>\bdefine\(\s{0,8}["'](?:[A-Z_]{0,40})(?:KEY|SALT)["']\s{0,8},\s{0,20}["'])[^"'\n]{32,128}/gu,
  },
  {
    name: 'wallet words',
    shape:
      /(?<before>\b(?:mnemonic|(?:seed|recovery)[ _-]?phrase)["']?\s{0,8}[:=]\s{0,8}["']?)(?:[a-z]{3,8}[ ,]{1,3}){11,23}[a-z]{3,8}/giu,
  },
];
