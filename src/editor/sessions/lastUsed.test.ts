import { expect, it } from 'vitest';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { SessionUse } from '../../contracts/usage.ts';
import { createLastUsed } from './lastUsed.ts';

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

it('follows the session whose turn began last, and keeps its numbers until the next ones', () => {
  const last = createLastUsed();
  last.note('a', started('one'), 'config');
  last.note('a', { type: 'usage', use: use(30) }, 'config');
  last.note('a', started('two'), 'session');
  expect(last.get()).toEqual({ sessionId: 'a', model: model('two'), source: 'session', use: use(30) });
  last.note('b', started('one'), 'config');
  last.note('a', { type: 'usage', use: use(99) }, 'session');
  expect(last.get()).toEqual({ sessionId: 'b', model: model('one'), source: 'config' });
  last.forget('a');
  expect(last.get()?.sessionId).toBe('b');
  last.forget('b');
  expect(last.get()).toBeUndefined();
});
