import { expect, it } from 'vitest';
import type { WaitingMessage } from '../../sessions/createInbox.ts';
import { planMoveUp } from './planMoveUp.ts';

const message = (id: string, kind: WaitingMessage['kind']): WaitingMessage => ({
  id,
  kind,
  text: id,
  createdAt: 0,
});

it('moves in front of the one before of its own kind', () => {
  const all = [message('a', 'followUp'), message('s', 'steer'), message('b', 'followUp')];
  expect(planMoveUp(all, 'b')).toBe('a');
  expect(planMoveUp(all, 'a')).toBeUndefined();
  expect(planMoveUp(all, 's')).toBeUndefined();
  expect(planMoveUp(all, 'gone')).toBeUndefined();
});
