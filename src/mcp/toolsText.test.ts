import { expect, it } from 'vitest';
import { inspectionOf, toolDefinition as tool } from '../../test/builders/inspectionOf.ts';
import { describeAgreedTools, describeNews, describeTools } from './toolsText.ts';

it('shows every field of a definition, with hidden characters as their codes, in lines that fit', () => {
  const text = describeTools(
    inspectionOf([tool('echo', `Echoes\u202E.${' word'.repeat(60)}`, { _meta: { secret: 'tell nobody' } })], {
      odd: ['echo'],
      problems: ['x is no tool'],
    }),
  );
  expect(text).toContain('Echoes⟨U+202E⟩.');
  expect(text).toContain('"secret": "tell nobody"');
  expect(text).toContain('Warning: It is odd.');
  expect(text).toContain('Left out: x is no tool');
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(89);
});

it('names what differs from what was agreed to, which reads in the same form', () => {
  const seen = inspectionOf([tool('echo', 'b'), tool('more')], { agreed: [tool('echo', 'a')] });
  expect(describeTools(seen)).toMatch(
    /^files: 2 tools, as the server defines them now\nChanged: echo\nNew: more\n/u,
  );
  expect(describeAgreedTools(seen)).toContain('\necho\n  a\n');
});

it('shows in a terminal what a yes is for: all at first, then both sides of what changed to the last word', () => {
  const long = 'word '.repeat(300);
  expect(describeNews(inspectionOf([tool('echo', 'a'), tool('more', `${long}end`)]))).toMatch(
    /echo[^]*end\n/u,
  );
  const agreed = [tool('echo', `${long}before`), tool('same', 'same'), tool('old')];
  const news = describeNews(
    inspectionOf([tool('echo', `${long}now`), tool('same', 'same'), tool('more')], { agreed }),
  );
  expect(news).toMatch(/^Was: echo of files\n[^]*before\n[^]*\nIs: echo of files\n[^]*now\n/u);
  expect(news).toContain('New: more of files\n');
  expect(news).toContain('Gone: old\n');
  expect(news).not.toContain('same of files');
});

it('shows tools that were left out as left out, and on no side of a difference as new', () => {
  const agreed = [tool('echo', 'a')];
  const seen = inspectionOf([tool('kept', 'Hidden.'), tool('echo', 'b')], {
    agreed,
    leftOut: ['kept', 'absent'],
  });
  const now = describeTools(seen);
  expect(now).toContain('\nChanged: echo\nLeft out by you: kept\n');
  expect(now).not.toContain('Hidden.');
  expect(describeAgreedTools(seen)).toContain('\nLeft out by you: kept\n');
  expect(describeTools(seen, 'kept')).toMatch(/^kept of files\n\nkept \(left out by you\)\n {2}Hidden\./u);
  const { brings, ...rest } = inspectionOf([tool('kept', 'Hidden.'), tool('echo', 'a')], {
    agreed,
    leftOut: ['kept'],
  });
  const all = describeTools({ ...rest, brings: { ...brings!, isAgreed: true } });
  expect(all).toMatch(
    /^files: 1 tool that you agreed to\n[^]*\necho\n {2}a\n[^]*\nkept \(left out by you\)\n {2}Hidden\./u,
  );
});
