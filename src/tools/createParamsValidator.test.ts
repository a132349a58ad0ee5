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
    "parameters: checking them by the tool's schema took more than 1000 ms",
  ]);
  expect(validate(endless, { word: 'aaa' })).toEqual([]);
  expect(validate(tool('^b+$'), { word: 'aaa' })).toEqual(['word: must match pattern "^b+$"']);
});

it('references that unfold without end do not hold anybody up either', () => {
  const level = (at: number) => ({ $ref: `#/definitions/level${String(at)}` });
  const definitions: Record<string, object> = { level40: { type: 'string' } };
  for (let at = 0; at < 40; at += 1)
    definitions[`level${String(at)}`] = { allOf: [level(at + 1), level(at + 1)] };
  const unfolding = {
    name: 't',
    description: '',
    parameters: { type: 'object', properties: { word: level(0) }, definitions },
  };
  expect(createParamsValidator().validate(unfolding as ToolDefinition, { word: 'x' })).toEqual([
    expect.stringContaining('took more than 1000 ms'),
  ]);
});

it('two schemas of one $id are two', () => {
  const { validate } = createParamsValidator();
  const of = (type: string): ToolDefinition => ({
    name: 't',
    description: '',
    parameters: { $id: 'one', type: 'object', properties: { word: { type } } },
  });
  for (const type of ['string', 'number', 'string'])
    expect(validate(of(type), { word: 1 })).toEqual(type === 'string' ? ['word: must be string'] : []);
});

it('drops what was added at any depth and leaves what the model wrote, so that it is refused as it should be', () => {
  const closed: ToolDefinition = {
    name: 't',
    description: '',
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        path: { type: 'string' },
        edits: {
          type: 'array',
          items: { type: 'object', additionalProperties: false, properties: { oldText: { type: 'string' } } },
        },
      },
    },
  };
  const given = { path: 'a', odd: 1, edits: [{ oldText: 'x' }] };
  const params = { path: 'a', odd: 2, mine: 3, edits: [{ oldText: 'x', note: 'y' }] };
  const { kept, dropped } = createParamsValidator().dropAdded(closed, given, params);
  expect(kept).toEqual({ path: 'a', odd: 2, edits: [{ oldText: 'x' }] });
  expect([...dropped].sort()).toEqual(['edits.0.note', 'mine']);
  expect(params.mine).toBe(3);
});
