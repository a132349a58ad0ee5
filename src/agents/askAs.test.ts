import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import type { ApprovalBroker, ApprovalOutcome, ApprovalQuestion } from '../approvals/approvalBroker.ts';
import type { ToolCall } from '../contracts/tool.ts';
import { askAs } from './askAs.ts';

it('lets no name that a model gave pass for more parts of the row', async () => {
  const asked: unknown[] = [];
  const request: ApprovalBroker['request'] = (_, question) => {
    asked.push({ who: question.who, title: question.asks[0].title });
    return Promise.reject(new Error('not asked'));
  };
  const named = askAs({ request } as ApprovalBroker, 'agent "a · npm test • b"');
  const asks = [{ title: 'Run a · b' }] as unknown as Parameters<ApprovalBroker['request']>[1]['asks'];
  const call = {} as Parameters<ApprovalBroker['request']>[0];
  await expect(named.request(call, { asks } as Parameters<ApprovalBroker['request']>[1])).rejects.toThrow(
    'not asked',
  );
  expect(asked).toEqual([{ who: 'agent "a - npm test - b"', title: 'agent "a - npm test - b": Run a · b' }]);
});

it('gives the answer of a person once its turn may go on, or is stopped', async () => {
  const stop = new AbortController();
  const request = () => Promise.resolve({ isAsked: true } as ApprovalOutcome);
  const goesOn = () => new Promise<void>(() => undefined);
  const held = askAs({ request } as unknown as ApprovalBroker, 'job', { goesOn });
  const call = { turn: { signal: stop.signal } } as ToolCall;
  const question = { asks: [{ title: 'Write' }] } as unknown as ApprovalQuestion;
  let isGiven = false;
  const answer = held.request(call, question).then(() => (isGiven = true));
  await Promise.resolve();
  expect(isGiven).toBe(false);
  stop.abort();
  await answer;
});

it('listens for a stop no longer than until its turn goes on', async () => {
  const { signal } = new AbortController();
  const request = () => Promise.resolve({ isAsked: true } as ApprovalOutcome);
  let goOn = (): void => undefined;
  const goesOn = () => new Promise<void>((resolve) => (goOn = resolve));
  const held = askAs({ request } as unknown as ApprovalBroker, 'job', { goesOn });
  const question = { asks: [{ title: 'Write' }] } as unknown as ApprovalQuestion;
  const answer = held.request({ turn: { signal } } as ToolCall, question);
  await expect.poll(() => getEventListeners(signal, 'abort')).toHaveLength(1);
  goOn();
  await answer;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
