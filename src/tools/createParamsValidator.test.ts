import { expect, it } from 'vitest';
import type { ToolDefinition } from '../contracts/tool.ts';
import { createParamsValidator } from './createParamsValidator.ts';

const tool = (pattern: string): ToolDefinition => ({
  name: 't',
  description: '',
  parameters: { type: 'object', properties: { word: { type: 'string', pattern } } },
});

it('a pattern that never ends refuses the parameters, and holds nobody up', () => {
  const { validate } = createParamsValidator();
  const endless = tool('^(a+)+$');
  expect(validate(endless, { word: `${'a'.repeat(40)}!` })).toEqual([
    "parameters: a pattern of the tool's schema took more than 1000 ms to check",
  ]);
  expect(validate(endless, { word: 'aaa' })).toEqual([]);
  expect(validate(tool('^b+$'), { word: 'aaa' })).toEqual(['word: must match pattern "^b+$"']);
});
