// Threat: HTML that is cheap to send and dear to read: tags nested thousands deep, or left open so that a parser repeats
// them without end. So what reaches the parser is balanced, of known tags only, and weighed.
import { scanHtml, type HtmlAttributes } from './scanHtml.ts';

export interface CleanHtml {
  /** The page's own name, as written; empty where it has none. */
  readonly title: string;
  /** Balanced HTML of the page's content. */
  readonly html: string;
  /** What reading it costs: the sum of how deep each tag stands. Infinite where tags were dropped for their depth. */
  readonly weight: number;
}

/** What brings no content. */
const code = namesOf(
  'script style noscript template iframe object embed svg canvas button select textarea head title xmp noembed noframes audio video map',
);
/** What stands around the content of a page. */
const surroundings = namesOf('nav aside footer dialog');
const kept = namesOf(
  'h1 h2 h3 h4 h5 h6 p br hr ul ol li a strong b em i code pre blockquote img table tr td th div del',
);
const empty = namesOf('br hr img embed');
const blocks = namesOf(
  'section article main header figure figcaption details summary dl dt dd address caption form nav aside footer dialog',
);
/** A start tag of the first kind ends an open one of the second, as browsers have it. */
const endsOpen: Readonly<Record<string, readonly string[]>> = {
  li: ['li'],
  tr: ['tr', 'td', 'th'],
  td: ['td', 'th'],
  th: ['td', 'th'],
  p: ['p'],
  a: ['a'],
};
/** What an implied end does not reach beyond. */
const fences = namesOf('ul ol table blockquote div pre');
const maxDepth = 100;
/** A page of which less is left probably never ends its navigation. */
const fewChars = 200;

/** The content of a page without what surrounds it. Links become absolute; any but http and https are dropped. Linear. */
export function cleanHtml(html: string, base: URL): CleanHtml {
  const content = clean(html, base, new Set([...code, ...surroundings]));
  return content.html.length < fewChars ? clean(html, base, code) : content;
}

function clean(html: string, base: URL, noise: ReadonlySet<string>): CleanHtml {
  const tree = createTree();
  let title: string | undefined;
  let isInTitle = false;
  let skipped: { readonly name: string; depth: number } | undefined;
  for (const token of scanHtml(html)) {
    if (token.kind === 'text') {
      if (isInTitle) title ??= token.text;
      else if (skipped === undefined) tree.text(token.text);
      continue;
    }
    if (token.name === 'title') isInTitle = token.kind === 'open';
    if (skipped !== undefined) {
      if (token.name === skipped.name) skipped.depth += token.kind === 'open' ? 1 : -1;
      const isOver = skipped.depth === 0 || (skipped.name === 'head' && token.name === 'body');
      if (isOver) skipped = undefined;
    } else if (noise.has(token.name)) {
      if (token.kind === 'open' && !empty.has(token.name)) skipped = { name: token.name, depth: 1 };
    } else {
      const name = blocks.has(token.name) ? 'div' : token.name;
      if (!kept.has(name)) continue;
      if (token.kind === 'close') tree.close(name);
      else tree.open(name, attributesOf(name, token.attributes, base));
    }
  }
  return { title: title ?? '', ...tree.end() };
}

interface Tree {
  text(text: string): void;
  open(name: string, attributes: string): void;
  close(name: string): void;
  end(): { readonly html: string; readonly weight: number };
}

/** Writes tags so that each is ended, inner ones first, and none is empty. */
function createTree(): Tree {
  const out: string[] = [];
  const open: string[] = [];
  let weight = 0;
  const closeTo = (length: number): void => {
    while (open.length > length) {
      const name = open.pop() ?? '';
      const isEmpty = out.at(-1)?.startsWith(`<${name}`) === true && name !== 'td' && name !== 'th';
      if (isEmpty) out.pop();
      else out.push(`</${name}>`);
    }
  };
  return {
    text: (text) => void out.push(text.replaceAll('<', '&lt;')),
    open(name, attributes) {
      const ended = outermostOpen(open, endsOpen[name] ?? []);
      if (ended !== -1) closeTo(ended);
      if (open.length >= maxDepth) weight = Infinity;
      else {
        weight += open.length + 1;
        out.push(`<${name}${attributes}>`);
        if (!empty.has(name)) open.push(name);
      }
    },
    close(name) {
      const at = open.lastIndexOf(name);
      if (at !== -1) closeTo(at);
    },
    end() {
      closeTo(0);
      return { html: out.join(''), weight };
    },
  };
}

/** The outermost of the names that is open this side of the next fence; -1 where none is. */
function outermostOpen(open: readonly string[], names: readonly string[]): number {
  let found = -1;
  for (let at = open.length - 1; at >= 0 && names.length > 0; at -= 1) {
    const name = open[at] ?? '';
    if (names.includes(name)) found = at;
    else if (fences.has(name)) break;
  }
  return found;
}

function attributesOf(name: string, attributes: HtmlAttributes, base: URL): string {
  if (name === 'a') return written('href', absolute(attributes.get('href'), base));
  if (name === 'img') return written('alt', attributes.get('alt') ?? '');
  if (name === 'code' || name === 'pre') {
    const language = /\blang(?:uage)?-([\w+#-]{1,30})/iu.exec(attributes.get('class') ?? '')?.[1];
    return written('class', language === undefined ? undefined : `language-${language}`);
  }
  return '';
}

function written(name: string, value: string | undefined): string {
  if (value === undefined) return '';
  const safe = value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return ` ${name}="${safe}"`;
}

const maxLink = 2_000;

function absolute(link: string | undefined, base: URL): string | undefined {
  if (link === undefined || link.length > maxLink || !URL.canParse(link, base.href)) return undefined;
  const url = new URL(link, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

function namesOf(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
