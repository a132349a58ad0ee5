import { expect, it } from 'vitest';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { SessionUse } from '../../contracts/usage.ts';
import { createLastUsed, type StoredState } from './lastUsed.ts';

const model = (name: string): ModelInfo => ({
  provider: 'p',
  model: name,
  name,
  contextWindow: 100,
  maxOutputTokens: 10,
  toolCalling: true,
});
const sum = {
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  calls: 1,
  cost: 0,
  isCostPartial: false,
  isEstimated: false,
};
const use = (tokens: number): SessionUse => ({
  context: { tokens, window: 100, compactAt: 80, isEstimated: false },
  turn: sum,
  session: sum,
});
const started = (name: string): AgentEvent => ({ type: 'run_started', runId: 'r', model: model(name) });

function createState(): StoredState {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    async update(key, value) {
      await Promise.resolve(values.set(key, value));
    },
  };
}
const rejects = (error: unknown): void => expect.unreachable(String(error));

it('follows the session whose turn began last, and keeps its numbers until the next ones', () => {
  const last = createLastUsed(createState(), rejects);
  last.note('a', started('one'), 'config', 'view');
  last.note('a', { type: 'usage', use: use(30) }, 'config', 'view');
  last.note('a', started('two'), 'session', 'view');
  expect(last.get()).toEqual({ sessionId: 'a', model: model('two'), source: 'session', use: use(30) });
  last.note('b', started('one'), 'config', 'view');
  last.note('a', { type: 'usage', use: use(99) }, 'session', 'view');
  expect(last.get()).toEqual({ sessionId: 'b', model: model('one'), source: 'config' });
  last.forget('a');
  expect(last.get()?.sessionId).toBe('b');
  last.forget('b');
  expect(last.get()).toBeUndefined();
});

it('knows after a reload which sessions were talked to last in the chat panel; of all others the Chat view is their place', () => {
  const state = createState();
  const last = createLastUsed(state, rejects);
  last.note('a', started('one'), 'config', 'panel');
  last.note('b', started('one'), 'config', 'panel');
  last.note('c', started('one'), 'config', 'view');
  last.note('b', started('one'), 'config', 'view');
  const again = createLastUsed(state, rejects);
  expect(['a', 'b', 'c', 'd'].map((id) => again.surfaceOf(id))).toEqual(['panel', 'view', 'view', 'view']);
});

it('tells a thing once in each session, and anew in one that is forgotten', () => {
  const last = createLastUsed(createState(), () => {
    throw new Error('nothing is stored');
  });
  expect([last.tellsOnce('a', 'x'), last.tellsOnce('a', 'x'), last.tellsOnce('a', 'y')]).toEqual([
    true,
    false,
    true,
  ]);
  expect([last.tellsOnce('b', 'x'), last.tellsOnce('a', 'x')]).toEqual([true, false]);
  last.forget('a');
  expect(last.tellsOnce('a', 'x')).toBe(true);
});
