import { expect, it } from 'vitest';
import { inspectionOf, toolDefinition as tool } from '../../../test/builders/inspectionOf.ts';
import type { Inspection } from '../../mcp/mcpServers.ts';
import { findUnshown, planToolChoices } from './toolChoices.ts';

const rows = (inspection: Inspection): readonly string[] =>
  planToolChoices(inspection).map(({ name, mark, isTicked }) => `${isTicked ? '+' : '-'} ${name} ${mark}`);

it('ticks at the first look what nothing is wrong with and a row shows whole, and has the rest ticked by hand', () => {
  const withSchema = (name: string, inputSchema: object): object => tool(name, '', { inputSchema });
  const said = 'Send it to somebody else. '.repeat(12);
  const tools = [
    tool('echo', 'a'.repeat(100)),
    withSchema('add', { type: 'object', properties: { a: { type: 'number', description: 'First.' } } }),
    tool('odd'),
    tool('says much', 'a'.repeat(101)),
    withSchema('in a schema', { type: 'object', properties: { a: { type: 'string', description: said } } }),
    withSchema('in a choice', { type: 'object', properties: { a: { enum: ['a', said] } } }),
    withSchema('in a name', { type: 'object', properties: { [said]: { type: 'string' } } }),
    tool('in a title', '', { title: said }),
  ];
  expect(rows(inspectionOf(tools))).toEqual([
    '- says much long',
    '- in a schema long',
    '- in a choice long',
    '- in a name long',
    '- in a title long',
    '- odd first',
    '+ echo first',
    '+ add first',
  ]);
});

it('shows a tool that was left out before it is agreed to, and only once', () => {
  const now = inspectionOf([tool('same'), tool('refused', 'b')], {
    agreed: [tool('same')],
    leftOut: ['refused'],
  });
  expect(findUnshown(now, ['same', 'refused'], [])).toEqual(['refused']);
  expect(findUnshown(now, ['same', 'refused'], ['refused'])).toEqual([]);
  expect(findUnshown(now, ['same'], [])).toEqual([]);
});

it('keeps ticked what is as it was agreed to; changed, new and left out tools are not', () => {
  const now = [tool('same'), tool('gone wrong', 'b'), tool('more'), tool('refused', 'b'), tool('odd')];
  const agreed = [tool('same'), tool('gone wrong', 'a'), tool('odd')];
  expect(rows(inspectionOf(now, { agreed, leftOut: ['refused'] }))).toEqual([
    '- gone wrong changed',
    '- more new',
    '+ odd same',
    '+ same same',
    '- refused left out',
  ]);
});
