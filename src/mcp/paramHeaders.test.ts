import { expect, it } from 'vitest';
import { readTools } from './definitions.ts';
import { paramHeadersOf, readParamHeaders } from './paramHeaders.ts';

const schemaOf = (properties: object): object => ({ type: 'object', properties });

it('sends plain arguments as the headers that a definition asks for, in Base64 where a header could not hold them', () => {
  const schema = schemaOf({
    region: { type: 'string', 'x-mcp-header': 'Region' },
    deep: schemaOf({ count: { type: 'integer', 'x-mcp-header': 'Count' } }),
    text: { type: 'string', 'x-mcp-header': 'Text' },
    none: { type: 'boolean', 'x-mcp-header': 'None' },
  });
  expect(paramHeadersOf(schema, { region: 'eu', deep: { count: 3 }, text: 'a\r\nX: 1' })).toEqual({
    'Mcp-Param-Region': 'eu',
    'Mcp-Param-Count': '3',
    'Mcp-Param-Text': `=?base64?${Buffer.from('a\r\nX: 1').toString('base64')}?=`,
  });
});

it('leaves out a tool that asks for a header twice, with no valid name, of no plain value or where none may be', () => {
  const header = (name: unknown, type = 'string'): object => ({ type, 'x-mcp-header': name });
  const faulty = [
    schemaOf({ a: header('X'), b: header('x') }),
    schemaOf({ a: header('X: 1\r\nY') }),
    schemaOf({ a: header('') }),
    schemaOf({ a: header('X', 'object') }),
    schemaOf({ a: { type: 'array', items: header('X') } }),
    { ...schemaOf({}), anyOf: [schemaOf({ a: header('X') })] },
  ];
  for (const inputSchema of faulty) {
    expect(readParamHeaders(inputSchema)).toMatch(/^it asks/u);
    expect(readTools([{ name: 'a', inputSchema }])).toMatchObject({
      tools: [],
      problems: [expect.stringContaining('left out')],
    });
  }
  expect(readParamHeaders(schemaOf({ 'x-mcp-header': { type: 'string' } }))).toEqual([]);
});
