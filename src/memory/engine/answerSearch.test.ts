import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOfFile, dayOf } from './answerSearch.ts';

const modified = Date.UTC(2026, 4, 3, 23, 59);

function date(label: string, frontMatterDate?: string): [string, boolean] {
  const { day, isDated } = dateOfFile({ label, source: 'memory', frontMatterDate, modified });
  return [day, isDated];
}

describe('dateOfFile', () => {
  it.each([
    'memory/2026-02-15.md',
    'memory/2026-02-15-notes.md',
    'memory/notes-2026-02-15.md',
    'memory/2026_02_15.md',
    'memory/20260215.md',
    'memory/2026/02/15.md',
    'memory/2026/02/15-standup.md',
    'memory/2026/02-15.md',
    'memory/2026-02/15.md',
    'app/memory/team/2026-02-15.md',
  ])('takes %s for a note of its day', (label) => {
    expect(date(label)).toEqual(['2026-02-15', true]);
  });

  it.each(['MEMORY.md', 'memory/projects.md', 'docs/guide.md', 'memory/v2026-0215.md'])(
    'keeps %s evergreen, of the day of its last change',
    (label) => {
      expect(date(label)).toEqual(['2026-05-03', false]);
    },
  );

  it.each(['2026-02-31', '2026-13-01', '2026-00-10', '0001-01-01', '12026-02-15', '2026-02-151'])(
    'takes %s for no day',
    (name) => {
      expect(date(`memory/${name}.md`)).toEqual(['2026-05-03', false]);
      expect(date('memory/a.md', name)).toEqual(['2026-05-03', false]);
    },
  );

  it('lets the age count in memory folders alone, and shows the day of other files', () => {
    expect(date('docs/adr/2024-01-15-database.md')).toEqual(['2024-01-15', false]);
    expect(date('docs/a.md', '2024-01-15')).toEqual(['2024-01-15', false]);
    expect(date('MEMORY.md', '2024-01-15')).toEqual(['2024-01-15', false]);
    expect(date('mymemory/2024-01-15.md')[1]).toBe(false);
  });

  it('reads front matter where the name says nothing', () => {
    expect(date('memory/a.md', '2024-01-15T10:00:00Z')).toEqual(['2024-01-15', true]);
    expect(date('memory/2026-02-15.md', '2024-01-15')).toEqual(['2026-02-15', true]);
    expect(date('memory/2026-02-31.md', '2024-01-15')).toEqual(['2024-01-15', true]);
  });

  it('dates a session by its last line', () => {
    const session = {
      label: 'sessions/2020-01-01.jsonl',
      source: 'sessions',
      frontMatterDate: undefined,
    } as const;
    expect(dateOfFile({ ...session, modified })).toEqual({ day: '2026-05-03', isDated: true });
  });

  it('reads every day of the calendar back', () => {
    const days = fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2199, 11, 31) }).map(dayOf);
    fc.assert(
      fc.property(days, (day) => {
        expect(date(`memory/${day}.md`)).toEqual([day, true]);
      }),
    );
    expect(dayOf(Number.NaN)).toBe('1970-01-01');
  });
});
