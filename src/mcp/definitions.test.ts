import { expect, it } from 'vitest';
import { withManyKeys } from '../../test/builders/withManyKeys.ts';
import { readTools } from './definitions.ts';

it('refuses a definition that is far too long before all of it is read', () => {
  const { value, looks } = withManyKeys();
  const tool = { name: 'huge', inputSchema: { type: 'object', properties: value } };
  expect(readTools([tool])).toEqual({
    tools: [],
    problems: ['The definition of huge is longer than 64000 characters.'],
  });
  expect(looks()).toBeLessThan(64_000);
});
