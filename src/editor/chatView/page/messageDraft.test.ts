import { expect, it } from 'vitest';
import { keptUri } from '../../../gateway/chatPage/chatViewMessages.ts';
import { withoutEdit } from './messageDraft.ts';

it('keeps the words of a change whose message is gone, gives the draft back, and drops what was attached to that message', () => {
  const [a, b] = ['a', 'b'].map((name) => ({ uri: `file:///${name}`, label: name }));
  if (a === undefined || b === undefined) throw new Error('two files');
  const changed = { text: 'changed', attached: [{ uri: keptUri, label: 'old.md' }, a] };
  expect(withoutEdit(changed, { text: 'a draft', attached: [a, b] })).toEqual({
    text: 'changed\na draft',
    attached: [a, b],
  });
  expect(withoutEdit(changed, { text: '', attached: [] })).toEqual({ text: 'changed', attached: [a] });
});
