import { expect, it } from 'vitest';
import { compareTools, readTools } from './definitions.ts';
import type { Inspection } from './mcpServers.ts';
import { describeAgreedTools, describeTools } from './toolsText.ts';

const inspect = (now: readonly object[], agreed: readonly object[] = []): Inspection => {
  const [after, before] = [readTools(now).tools, readTools(agreed).tools];
  return {
    name: 'files',
    origin: { kind: 'user' },
    launch: { kind: 'address', origin: 'https://x.example', headers: [] },
    launchHash: '',
    launchWarnings: [],
    mayStart: true,
    brings: {
      tools: after.map((tool) => ({ tool, warnings: ['It is odd.'] })),
      toolsHash: '',
      problems: ['x is no tool'],
      agreed: before,
      leftOut: [],
      ...(before.length === 0 ? {} : { changes: compareTools(before, after) }),
      isAgreed: false,
    },
  };
};
const tool = (more: object): object => ({ name: 'echo', inputSchema: { type: 'object' }, ...more });

it('shows every field of a definition, with hidden characters as their codes, in lines that fit', () => {
  const text = describeTools(
    inspect([tool({ description: `Echoes\u202E.${' word'.repeat(60)}`, _meta: { secret: 'tell nobody' } })]),
  );
  expect(text).toContain('Echoes⟨U+202E⟩.');
  expect(text).toContain('"secret": "tell nobody"');
  expect(text).toContain('Warning: It is odd.');
  expect(text).toContain('Left out: x is no tool');
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(111);
});

it('names what differs from what was agreed to, which reads in the same form', () => {
  const seen = inspect(
    [tool({ description: 'b' }), { ...tool({}), name: 'more' }],
    [tool({ description: 'a' })],
  );
  expect(describeTools(seen)).toMatch(
    /^files: 2 tools, as the server defines them now\nChanged: echo\nNew: more\n/u,
  );
  expect(describeAgreedTools(seen)).toContain('\necho\n  a\n');
});
