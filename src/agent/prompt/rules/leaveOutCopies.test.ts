import { expect, it } from 'vitest';
import { leaveOutCopies } from './leaveOutCopies.ts';

const agents = { label: 'AGENTS.md', path: '/w/AGENTS.md', text: 'Use tabs.\nRun tests.' };
const claude = (text: string) => ({ label: 'CLAUDE.md', path: '/w/CLAUDE.md', text });

it.each([
  ['a copy', 'Use tabs.\r\n\r\nRun tests.\n'],
  ['an import', '@AGENTS.md'],
  ['an import below a heading', '# CLAUDE.md\n\n@./AGENTS.md\n'],
  ['a link', 'See [AGENTS.md](./AGENTS.md) for all instructions.'],
])('sends %s of AGENTS.md only once, and says so', (_what, text) => {
  expect(leaveOutCopies([agents, claude(text)])).toEqual([
    { ...agents, note: 'CLAUDE.md says the same and is left out.' },
  ]);
});

it.each([
  ['has rules of its own', '@AGENTS.md\n\nNever push.'],
  ['speaks of the file', 'AGENTS.md is wrong, ignore it'],
  ['imports another file', '@docs/rules.md'],
])('keeps a file that %s', (_what, text) => {
  expect(leaveOutCopies([agents, claude(text)])).toHaveLength(2);
});

it('keeps equal files of different folders', () => {
  const nested = { ...agents, label: 'src/AGENTS.md', appliesTo: 'src/' };
  expect(leaveOutCopies([agents, nested])).toHaveLength(2);
});
