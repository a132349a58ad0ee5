import { describe, expect, it } from 'vitest';
import { megabyteOf, worstForSecretRules } from '../../test/builders/worstTexts.ts';
import { createRedactor, type Findings } from './createRedactor.ts';
import { secretRules, strictRule } from './secretRules.ts';

const redactor = createRedactor({ rules: secretRules, allow: [] });
const redact = (text: string, found: Findings = new Map()): string => redactor.text(text, found);

// Put together here, so that no scanner takes this file for a leak.
const random = 'q7Zk2Xw9Rf4Lm8Tb3Vc6Nd1Hs5Jg0Py2Uo4Ea8';
const body = (length: number): string => random.repeat(5).slice(0, length);
const keyBlock = (kind: string): string =>
  `-----BEGIN ${kind}-----\n${body(64)}\n${body(64)}\n-----END ${kind}-----`;

describe('secretRules', () => {
  it.each([
    ['json web token', `eyJ${body(20)}.eyJ${body(30)}.${body(43)}`],
    ['github token', `ghp_${body(36)}`],
    ['github token', `ghs_${body(36)}`],
    ['github fine-grained token', `github_pat_${body(22)}_${body(59)}`],
    ['gitlab token', `glpat-${body(20)}`],
    ['aws access key', 'AKIA' + 'Q7ZK2XW9RF4LM8TB'],
    ['anthropic key', `sk-ant-api03-${body(40)}`],
    ['openai key', `sk-proj-${body(40)}`],
    ['openai key', `sk-${body(48)}`],
    ['google api key', `AIza${body(35)}`],
    ['google oauth secret', `GOCSPX-${body(28)}`],
    ['slack token', `xoxb-1234567-${body(24)}`],
    ['stripe key', `sk_live_${body(24)}`],
    ['npm token', `npm_${body(36)}`],
    ['pypi token', `pypi-AgEI${body(60)}`],
    ['hugging face token', `hf_${body(34)}`],
    ['sendgrid key', `SG.${body(22)}.${body(43)}`],
    ['digitalocean token', `dop_v1_${'3fa9'.repeat(16)}`],
    ['vault token', `hvs.${body(30)}`],
    ['shopify token', `shpat_${'3fa9'.repeat(8)}`],
  ])('replaces a %s wherever it stands', (name, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['see "', '".'],
      ['x\n', '\ny'],
      ['https://a.dev/?key=', '&b=1'],
    ]) {
      const found: Findings = new Map();
      expect(redact(`${before}${secret}${after}`, found)).toBe(`${before}[redacted: ${name}]${after}`);
      expect([...found]).toEqual([[name, 1]]);
    }
  });

  it('replaces the path of a Slack webhook and leaves its host', () => {
    expect(redact(`https://hooks.slack.com/services/T0AB12/B0CD34/${body(24)}`)).toBe(
      'https://hooks.slack.com/services/[redacted: slack webhook]',
    );
  });

  it.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'])(
    'replaces a block of %s, also where it is cut off or has headers',
    (kind) => {
      const clean = '[redacted: private key]';
      expect(redact(`a\n${keyBlock(kind)}\nb`)).toBe(`a\n${clean}\nb`);
      expect(redact(`-----BEGIN ${kind}-----\n${body(200)}`)).toBe(clean);
      const headers = 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,1F\n\n';
      const withHeaders = keyBlock(kind).replace('-----\n', `-----\n${headers}`);
      expect(redact(withHeaders)).toBe(clean);
    },
  );

  it.each([
    ['postgres://app:hunter22@db.internal/x', 'postgres://app:[redacted: password]@db.internal/x'],
    ['redis://:s3cr3tpw@10.0.0.1:6379', 'redis://:[redacted: password]@10.0.0.1:6379'],
    [
      'git clone https://me:tok12345@git.dev/a.git',
      'git clone https://me:[redacted: password]@git.dev/a.git',
    ],
    ['Authorization: Bearer abc.def-123456', 'Authorization: Bearer [redacted: authorization header]'],
    ['-H "authorization: Basic dXNlcjpwYXNz"', '-H "authorization: Basic [redacted: authorization header]"'],
    [`use bearer ${body(30)} now`, 'use bearer [redacted: bearer token] now'],
    ['DB_PASSWORD=hunter22', 'DB_PASSWORD=[redacted: secret value]'],
    ['password: "p@ss, w0rd"', 'password: "[redacted: secret value]"'],
    ["api_key = 'k-19284-x'", "api_key = '[redacted: secret value]'"],
    ['{"clientSecret":"a\\"b7c8"}', '{"clientSecret":"[redacted: secret value]"}'],
    ['{\\"token\\":\\"ab12cd34\\",\\"n\\":1}', '{\\"token\\":\\"[redacted: secret value]\\",\\"n\\":1}'],
    ['//registry.dev/:_authToken=ab12-cd34', '//registry.dev/:_authToken=[redacted: secret value]'],
    ['aws_secret_access_key = wJa1rXU+tn/F3MI', 'aws_secret_access_key = [redacted: secret value]'],
    ['AccountKey=ab12+/cd==;Endpoint=x', 'AccountKey=[redacted: secret value];Endpoint=x'],
    ['?access_token=ab12cd34&page=2', '?access_token=[redacted: secret value]&page=2'],
    ['apikey: 9c1f0a52-7d3e-4b66-8f21-0a5d3c7e9b10', 'apikey: [redacted: secret value]'],
  ])('replaces what its name or place calls a secret: %s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    ['a git hash', 'commit 9fceb02d0ae598e95dc970b74767f19372d61af8'],
    ['a UUID', 'id 9c1f0a52-7d3e-4b66-8f21-0a5d3c7e9b10'],
    ['an integrity hash', `"integrity": "sha512-${body(60)}"`],
    ['a long name', 'this_is_a_rather_long_name_of_a_function_in_python_code'],
    ['a placeholder', 'token: <your-token> api_key="YOUR_API_KEY_1" password=xxxxxxxx secret=****'],
    ['a placeholder of a known shape', `ghp_${'x'.repeat(36)} and sk-proj-${'1234567890'.repeat(4)}`],
    ['a value of documentation', 'AKIAIOSFODNN7EXAMPLE'],
    ['variables', 'PASSWORD=${DB_PASSWORD_1} TOKEN=$TOKEN1 secret: {{ vault_pw1 }}'],
    ['example.com', 'https://user:pa55word@api.example.com/x'],
    ['local defaults', 'postgres://postgres:postgres@localhost:5432/app'],
    ['a port', 'http://localhost:8080/a@b'],
    ['plain words', 'The password: required. The token is optional. secret: true'],
    ['types', 'password: string; token: Uint8Array | undefined; digest_token: sha256'],
    ['code', 'const token = readToken(file1); password = user1.password; token = tokens[3]'],
    ['expressions', 'const isToken = (value) => !!node.token; if (lastToken === 46/*.*/) token = Token$1;'],
    ['a closed quote', "console.log('password:', password1)"],
    ['versions', '"jsonwebtoken": "^9.0.0", "@types/csrf-token": "~1.2.3-beta.1"'],
    ['the name of a scheme', 'Authorization: FederatedToken <jwt>'],
    ['environment', 'apiKey: process.env.API_KEY_2, secret: os.environ["S1"]'],
    ['files', 'password: /run/secrets/db1'],
    ['limits', 'max_tokens=4096 token: 12345'],
    ['prose about headers', 'Send a bearer authentication-token; Authorization: Bearer credentials'],
    [
      'a mention of key blocks',
      'It starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.',
    ],
    ['CSS and packages', 'sk-circle sk-fading-circle sk-cube-grid npm_config_registry hf_home'],
    ['what was replaced before', 'token: [redacted: github token] password="[redacted: secret value]"'],
  ])('spares %s', (_, text) => {
    expect(redact(text)).toBe(text);
  });

  it('replaces long tokens of any kind where it is strict', () => {
    const strict = createRedactor({ rules: [...secretRules, strictRule], allow: [] });
    expect(strict.text('commit 9fceb02d0ae598e95dc970b74767f19372d61af8', new Map())).toBe(
      'commit [redacted: long token]',
    );
    expect(strict.text('short-name', new Map())).toBe('short-name');
  });

  it('leaves what the user allows, by value or with stars', () => {
    const lax = createRedactor({ rules: secretRules, allow: ['hunter22', 'ghp_q7*'] });
    expect(lax.text(`password=hunter22 ghp_${body(36)}`, new Map())).toBe(
      `password=hunter22 ghp_${body(36)}`,
    );
    expect(lax.text('password=hunter223', new Map())).toBe('password=[redacted: secret value]');
  });

  it.each(worstForSecretRules)('comes to an end, however often %j is repeated', (piece) => {
    for (const end of ['', '!']) redact(megabyteOf(piece) + end);
  });
});

describe('createRedactor', () => {
  it('goes through data at any depth and keeps keys, numbers and shape', () => {
    const data = { list: [{ token: 'ab12cd34', n: 1, at: null }], note: `ghp_${body(36)}`, password: 'word' };
    const found: Findings = new Map();
    expect(redactor.data(data, found)).toEqual({
      list: [{ token: '[redacted: secret value]', n: 1, at: null }],
      note: '[redacted: github token]',
      password: 'word',
    });
    expect([...found]).toEqual([
      ['secret value', 1],
      ['github token', 1],
    ]);
    expect(data.list[0]?.token).toBe('ab12cd34');
  });

  it('gives back the same value where there is nothing to replace', () => {
    const data = { a: [1, 'two', { three: new Date(0) }] };
    expect(redactor.data(data, new Map())).toBe(data);
  });

  it('changes nothing a second time', () => {
    const once = redact(`password=hunter22 Bearer ${body(30)} ${keyBlock('PRIVATE KEY')}`);
    expect(redact(once)).toBe(once);
  });
});
