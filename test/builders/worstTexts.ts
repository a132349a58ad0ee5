// Each is the worst, repeated, for one of the patterns of what reads it: a pattern that steps back takes minutes for a megabyte.
// Tests see that it ends; how long it takes is a figure of `npm run bench -- hostileText`.

/** A text of a million characters or a few more. */
export function megabyteOf(piece: string): string {
  return piece.repeat(Math.ceil(1_000_000 / piece.length));
}

// Put together here, so that no scanner takes this file for a leak.
const pem = ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' ');

/** For `redactKeys`. */
export const worstForKeys: readonly string[] = [
  'sk-',
  'pa-',
  'eyJ',
  'eyJ-',
  'sk-a-',
  'eyJaaaaaaaaaa.',
  `${pem}-`,
  'A',
  'A_',
  '://a:',
  'Bearer ',
  'Authorization:',
  ' ',
  '-',
];

/** For the redaction that the Dexto dialect offers. */
export const worstForSecrets: readonly string[] = [
  'sk-',
  'pa-',
  'eyJ-',
  'eyJaaaaaaaaaa.',
  'A_',
  '://a:',
  'Bearer ',
  ' ',
  '-',
  'a',
  'a-',
  `${'a'.repeat(31)} `,
  '@',
  'a@',
  'a.',
  'a@a.',
  'token=',
  'token="',
  'token="token=\'token=`',
  'token=\\"',
  `token=${'a1'.repeat(60)} `,
  'password=hunter2 ',
  'password=       ',
  'me@example.com ',
];

/** For the rules of the plugin secret-redactor. */
export const worstForSecretRules: readonly string[] = [
  ...[
    'ghp_',
    'github_pat_',
    'eyJ',
    'eyJaaaaaaaa.',
    'sk-',
    'SG.aaaaaaaaaaaaaaaaaaaa',
    'hooks.slack.com/services/',
  ],
  ...[
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN RSA PRIVATE KEY-----a',
    '-',
    'a-',
    'a',
    'a.',
    'A1',
    ' ',
    '\\',
  ],
  ...['password=', 'password="', "password='", 'password:\\"', 'token', 'token = ', 'token    '],
  ...['a://b:', 'a://', 'a+', 'authorization: bearer ', 'authorization', 'bearer ', '[redacted: ', '=', '"'],
];

/** For the search of a plugin's code for what it asks for. */
export const worstForAsks: readonly string[] = [
  'registerTool((',
  'registerTool({ ',
  'registerTool( ',
  "registerTool name: 'a' ",
  'registerTool names: [',
  'registerTool name ',
  'registerTool const a = ',
  'registerTool const   ',
  'fetch ',
  `'before_`,
  'spawn( ',
  'import( ',
  'import(/*',
  "import(' ",
  'import ',
  'require/**/',
  'new  ',
  '= (,[ ',
  'this. constructor ',
  '} ) . constructor',
  '{ createRequire as createRequire ',
  "= require( 'module' ) ",
  'process?. [ ',
  '\\u{0000',
  "'a\\\n",
];

/** For the reader of web pages, each with its name. */
export const worstPages: readonly (readonly [what: string, piece: string])[] = [
  ['start tags', '<div>'],
  ['half tags', '<a '],
  ['open quotes', '<a b="'],
  ['open comments', '<!--'],
  ['end tags', '</b>'],
  ['deep ends', '<div><p></b>'],
  ['empty elements', '<div><b></b>'],
  ['list items', '<ol><li>'],
  ['spaces in preformatted text', '<pre>   '],
  ['open scripts', '<script>'],
  ['less-than signs', '<'],
  ['attributes', '<a a=1 b='],
  ['half end tags', '</a'],
  ['titles', '<title>&'],
  ['ampersands', '&'],
  ['half references', '&#1'],
];
