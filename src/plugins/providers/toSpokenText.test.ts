import { expect, it } from 'vitest';
import { toSpokenText } from './toSpokenText.ts';

it('says the words, and no markup, code, rule or address', () => {
  const markdown = [
    '## The **boat**',
    '',
    'It is in `src/boat.ts`, see [the docs](https://docs.example/boat?x=1 "Docs") and https://sea.example/a/b.',
    '',
    '```ts',
    'const secret = 1;',
    '```',
    '- [x] *sails* <b>up</b>',
    '1. snake_case_name stays, _this_ is said',
    '',
    '| Name | Depth |',
    '| --- | ---: |',
    '| Port | 4 m |',
    '',
    '---',
    '> 2 \\* 3',
  ].join('\n');
  expect(toSpokenText(markdown, 4_096)).toEqual({
    text: [
      'The boat.',
      '',
      'It is in src/boat.ts, see the docs and sea.example',
      '',
      'sails up.',
      '1. snake_case_name stays, this is said.',
      '',
      'Name, Depth.',
      '',
      'Port, 4 m.',
      '',
      '2 * 3',
    ].join('\n'),
    isCut: false,
  });
});

it('ends a long text with a whole sentence, and says that it is cut', () => {
  const { text, isCut } = toSpokenText('One is here. Two is there. Three is nowhere to be seen', 40);
  expect([text, isCut]).toEqual(['One is here. Two is there.', true]);
});

it('leaves out code that never ends', () => {
  expect(toSpokenText('Look:\n~~~\nrm -rf /\n``` \nmore', 100).text).toBe('Look:');
});

it('takes no longer for text that is made to be slow', () => {
  const hostile = ['[', '<a', '`', '_', '* ', '|', '\\', 'https://']
    .map((part) => part.repeat(50_000))
    .join('\n');
  const started = performance.now();
  expect(toSpokenText(hostile, 20_000).text.length).toBeLessThanOrEqual(20_000);
  expect(performance.now() - started).toBeLessThan(2_000);
});
