import { expect, it } from 'vitest';
import { compareTools, readTools } from '../../mcp/definitions.ts';
import type { Inspection } from '../../mcp/mcpServers.ts';
import { planToolChoices } from './toolChoices.ts';

const tool = (name: string, description = ''): object => ({
  name,
  description,
  inputSchema: { type: 'object' },
});

function seen(
  now: readonly object[],
  {
    agreed,
    leftOut = [],
  }: { readonly agreed?: readonly object[]; readonly leftOut?: readonly string[] } = {},
): Inspection {
  const [after, before] = [readTools(now).tools, readTools(agreed ?? []).tools];
  return {
    name: 'files',
    origin: { kind: 'user' },
    launch: { kind: 'address', origin: 'https://x.example', headers: [] },
    launchHash: '',
    launchWarnings: [],
    mayStart: true,
    brings: {
      tools: after.map((each) => ({ tool: each, warnings: each.name === 'odd' ? ['It is odd.'] : [] })),
      toolsHash: '',
      problems: [],
      agreed: before,
      leftOut,
      ...(agreed === undefined ? {} : { changes: compareTools(before, after, leftOut) }),
      isAgreed: false,
    },
  };
}

const rows = (inspection: Inspection): readonly string[] =>
  planToolChoices(inspection).map(({ name, mark, isTicked }) => `${isTicked ? '+' : '-'} ${name} ${mark}`);

it('ticks at the first look what nothing is wrong with, and has the rest ticked by hand', () => {
  const long = tool('long', `Reads a file. ${'Then it goes on. '.repeat(20)}`);
  expect(rows(seen([tool('echo'), tool('odd'), long]))).toEqual([
    '- odd first',
    '+ echo first',
    '- long first',
  ]);
});

it('keeps ticked what is as it was agreed to; changed, new and left out tools are not', () => {
  const now = [tool('same'), tool('gone wrong', 'b'), tool('more'), tool('refused', 'b'), tool('odd')];
  const agreed = [tool('same'), tool('gone wrong', 'a'), tool('odd')];
  expect(rows(seen(now, { agreed, leftOut: ['refused'] }))).toEqual([
    '- gone wrong changed',
    '- more new',
    '+ odd same',
    '+ same same',
    '- refused left out',
  ]);
});
