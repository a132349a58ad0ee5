import { expect, it } from 'vitest';
import { dropAddedKeys } from './dropAddedKeys.ts';

it('drops what was added at any depth and leaves what the model wrote, so that it is refused as it should be', () => {
  const given = { path: 'a', odd: 1, edits: [{ oldText: 'x' }] };
  const params = { path: 'a', odd: 2, mine: 3, edits: [{ oldText: 'x', note: 'y' }] };
  expect(dropAddedKeys(given, params, [['odd'], ['mine'], ['edits', '0', 'note']])).toEqual({
    kept: { path: 'a', odd: 2, edits: [{ oldText: 'x' }] },
    dropped: ['mine', 'edits.0.note'],
  });
  expect(params.mine).toBe(3);
});
