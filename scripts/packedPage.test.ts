import { expect, it } from 'vitest';
import { packedPage } from './packedPage.ts';

it('leaves out pictures without a drawing, and leads links to files to the heading that says how to open them', () => {
  const page = [
    '1. Ask.',
    '',
    '   ![A chat](docs/images/chat.webp)',
    '',
    '2. It [asks\n   you](docs/tools.md#what-asks) first ([how](#asking)). [More](https://example.org).',
    '',
    '## Where',
    '',
    '[Pages](docs/README.md)',
    '',
  ];
  expect(packedPage(page.join('\n'), { heading: 'where' }).split('\n')).toEqual([
    '1. Ask.',
    '',
    '2. It [asks',
    '   you](#where "docs/tools.md") first ([how](#asking)). [More](https://example.org).',
    '',
    '## Where',
    '',
    'Pages',
    '',
  ]);
});

it('keeps the words of a link where no heading is named, and code as it is', () => {
  const code = '```md\n[a](b.md)\n```';
  expect(packedPage(`See [a](b.md).\n\n${code}\n\n[c](d.md)\n`)).toBe(`See a.\n\n${code}\n\nc\n`);
});

it('draws a picture as text, at its place in the list', () => {
  const page = '1. Ask.\n\n   ![A chat](docs/images/chat.webp)\n\n2. See.\n';
  const drawings = new Map([['docs/images/chat.webp', ' You\n\n+Hello\n']]);
  expect(packedPage(page, { drawings }).split('\n')).toEqual([
    '1. Ask.',
    '',
    '   ```diff',
    '    You',
    '',
    '   +Hello',
    '   ```',
    '',
    '2. See.',
    '',
  ]);
});
