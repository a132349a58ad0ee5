/** A piece of HTML; comments, doctypes and the like are left out. */
type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string }
  | { readonly kind: 'close'; readonly name: string };

/** Their content is no markup up to their own end tag. */
const rawNames = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

/**
 * Cuts HTML into tags and text, in time that grows with its length alone: pages are written by strangers. Texts are as
 * written, character references included.
 */
export function* scanHtml(html: string): Generator<HtmlToken> {
  const markup = /<[a-z/!?]/giu;
  const tagStart = /<(\/?)([a-z][^\s/>]*)/iuy;
  let at = 0;
  while (at < html.length) {
    markup.lastIndex = at;
    const next = markup.exec(html)?.index ?? -1;
    if (next === -1) {
      yield { kind: 'text', text: html.slice(at) };
      return;
    }
    if (next > at) yield { kind: 'text', text: html.slice(at, next) };
    at = next;
    if (html.startsWith('<!', at) || html.startsWith('<?', at)) {
      at = endOfComment(html, at);
      continue;
    }
    tagStart.lastIndex = at;
    const [start, slash, rawName = ''] = tagStart.exec(html) ?? [];
    if (start === undefined) {
      yield { kind: 'text', text: '<' };
      at += 1;
      continue;
    }
    const end = endOfTag(html, at + start.length);
    // As browsers have it: a tag that never ends swallows the rest. Searching on behind it could take forever.
    if (end === -1) return;
    const attributes = html.slice(at + start.length, end);
    const name = rawName.toLowerCase();
    at = end + 1;
    yield slash === '/' ? { kind: 'close', name } : { kind: 'open', name, attributes };
    if (slash !== '/' && rawNames.has(name)) {
      const endOfText = endOfRaw(html, at, name);
      if (endOfText > at) yield { kind: 'text', text: html.slice(at, endOfText) };
      at = endOfText;
    }
  }
}

/** Where the `>` of a tag stands; quotes count only around a value. */
function endOfTag(html: string, from: number): number {
  let quote = '';
  let mayQuote = false;
  for (let at = from; at < html.length; at += 1) {
    const char = html.charAt(at);
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '>') return at;
    else if (mayQuote && (char === '"' || char === "'")) {
      quote = char;
      mayQuote = false;
    } else if (char === '=') mayQuote = true;
    else if (char.trim() !== '') mayQuote = false;
  }
  return -1;
}

function endOfComment(html: string, at: number): number {
  const isComment = html.startsWith('<!--', at);
  const end = html.indexOf(isComment ? '-->' : '>', isComment ? at + 4 : at);
  return end === -1 ? html.length : end + (isComment ? 3 : 1);
}

function endOfRaw(html: string, at: number, name: string): number {
  const end = new RegExp(`</${name}[\\s/>]`, 'giu');
  end.lastIndex = at;
  return end.exec(html)?.index ?? html.length;
}

/** The value of an attribute, with its character references resolved. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s"'/])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'iu').exec(
    attributes,
  );
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value === undefined ? undefined : decodeReferences(value);
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  reg: '®',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  middot: '·',
  bull: '•',
  times: '×',
  euro: '€',
};

/** Numeric references and the common names; others stay as they are. */
export function decodeReferences(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/giu,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole;
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : parseInt(decimal, 10);
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : '\uFFFD';
    },
  );
}
