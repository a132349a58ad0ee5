import { assert, property, string, constantFrom, array } from 'fast-check';
import { expect, it } from 'vitest';
import { parseHookFile } from './parseHookFile.ts';

it('no text makes the parser throw, and every refusal names a line', () => {
  const piece = constantFrom(
    '---',
    '\n',
    'name: x',
    'metadata:',
    ' { "openclaw": ',
    '[',
    '}',
    '&a *a',
    '!!js',
    '\t',
    ': ',
  );
  assert(
    property(array(piece), string(), (pieces, tail) => {
      const parsed = parseHookFile(`---\n${pieces.join('')}${tail}\n---\n`);
      if (!parsed.ok) expect(parsed.line).toBeGreaterThan(0);
    }),
    { numRuns: 300 },
  );
});

it('a BOM and CRLF line ends are no part of the frontmatter', () => {
  const parsed = parseHookFile(
    '\uFEFF---\r\nname: x\r\nmetadata: { openclaw: { events: [command] } }\r\n---\r\n',
  );
  expect(parsed).toMatchObject({ ok: true, manifest: { name: 'x', events: ['command'] } });
});

it('texts for people are one line without hidden characters', () => {
  const parsed = parseHookFile('---\nname: x\ndescription: "a\\nb\\u202Ec"\n---\n');
  expect(parsed).toMatchObject({ manifest: { description: 'a bc', exportName: 'default', always: false } });
});
