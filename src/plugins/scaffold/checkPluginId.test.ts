import { expect, it } from 'vitest';
import { checkPluginId } from './checkPluginId.ts';

it.each(['host', 'core'])('makes no plugin of the name %s, which the program keeps for itself', (id) => {
  expect(checkPluginId(id)).toBe(`The name ${id} is kept for the program itself.`);
});

it('makes one of any other plain name', () => {
  expect(checkPluginId('host-tools')).toBeUndefined();
});
