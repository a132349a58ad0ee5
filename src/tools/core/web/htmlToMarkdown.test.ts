import { describe, expect, it } from 'vitest';
import { megabyteOf, worstPages } from '../../../../test/builders/worstTexts.ts';
import { cleanHtml } from './cleanHtml.ts';
import { htmlToMarkdown } from './htmlToMarkdown.ts';
import { htmlToText } from './htmlToText.ts';
import { toMarkdown } from './readPage.ts';

const base = new URL('https://a.example/dir/page');

function markdown(html: string): string {
  return htmlToMarkdown(cleanHtml(html, base));
}

describe('htmlToMarkdown', () => {
  it.each([
    ['headings and paragraphs', '<h2>A</h2><p>b<p>c', '## A\n\nb\n\nc'],
    ['links, made absolute', '<a href="../x?a=1&amp;b=2">y</a>', '[y](https://a.example/x?a=1&b=2)'],
    ['no link that runs something', '<a href="javascript:alert(1)">y</a> <a href=command:x>z</a>', 'y z'],
    ['images as their descriptions', 'a <img src=x.png alt="a cat"> b', 'a [image: a cat] b'],
    ['lists in lists', '<ul><li>a<ol><li>b<li>c</ol><li>d</ul>', '- a\n  1. b\n  2. c\n- d'],
    ['tables', '<table><tr><th>a<th>b|c<tr><td>1<td>2</table>', '| a | b\\|c |\n| --- | --- |\n| 1 | 2 |'],
    [
      'code with its language',
      '<pre><code class="language-ts">a &lt; b\n  c</code></pre>',
      '```ts\na < b\n  c\n```',
    ],
    ['emphasis', '<b>a</b> <i>b</i> <del>c</del>', '**a** _b_ ~~c~~'],
    ['text with signs of markdown', '<p>1 * 2 * 3 &amp; _x_', '1 \\* 2 \\* 3 & \\_x\\_'],
    [
      'nothing of scripts, styles and comments',
      '<script>"<p>x</p>"</script><style>p{}</style><!-- <p>y --><p>z',
      'z',
    ],
    ['no tags that were never ended', '<p>a</p><a href="', 'a'],
    ['a lone < as text', 'a < b', 'a < b'],
    ['a < at the end as text', 'a <', 'a <'],
    ['no comment that never ends', '<p>a</p><!-- b', 'a'],
    ['no doctype and no processing instruction', '<!DOCTYPE html><?xml version="1.0"?><p>a', 'a'],
    ['nothing of an end tag without a name', 'a</>b</ c>d', 'abd'],
    [
      'a > within a quoted value as a part of it',
      '<a title="1 > 0" href=/x>y</a>',
      '[y](https://a.example/x)',
    ],
    ['the first of two values of a name', '<a HREF=/x href=/y>z</a>', '[z](https://a.example/x)'],
    [
      'links with names that are no references',
      '<a href="/x?a=1&copy=2">y</a>',
      '[y](https://a.example/x?a=1&copy=2)',
    ],
  ])('makes %s', (_what, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it('leaves out what stands around the content', () => {
    const content = 'word '.repeat(60).trim();
    const page = `<title>T &amp; U</title><nav><a href=/>Home</a></nav><main>${content}</main><footer>Imprint</footer>`;
    expect(markdown(page)).toBe(content);
    expect(cleanHtml(page, base).title).toBe('T &amp; U');
  });

  it('keeps it where nearly nothing would be left', () => {
    expect(markdown('<nav>Menu<p>The page never ends its navigation.')).toContain('never ends');
  });

  it('reads a page that is too deep or too large for the parser as text', async () => {
    const read = (html: string) => toMarkdown(cleanHtml(html, base));
    expect(await read(`${'<div>'.repeat(5_000)}<p><b>deep</b>`)).toBe('deep');
    expect(await read('<p><b>x</b></p>'.repeat(30_000))).toMatch(/^x\n\nx\n\nx/u);
  });

  it.each(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes'])(
    'takes what stands in <%s> for no markup',
    (name) => {
      const page = `<${name}></p><b>x</b><!-- </${name}s></${name.toUpperCase()} ><p>z`;
      expect(markdown(page)).toBe('z');
    },
  );

  it('knows every character reference, once', () => {
    const page = '<p>&Auml;&rarr;&#8364;&#x41;&AMP &amp;lt; &nosuch;';
    expect(htmlToText(cleanHtml(page, base).html)).toBe('Ä→€A& &lt; &nosuch;');
  });

  it.each(worstPages)('comes to an end for a big page of nothing but %s', (_what, piece) => {
    htmlToText(cleanHtml(megabyteOf(piece), base).html);
  });
});
