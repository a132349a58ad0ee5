import { expect, it } from 'vitest';

import { describeTrace } from './describeTrace.ts';

const lines = (...all: readonly object[]): string => all.map((each) => JSON.stringify(each)).join('\n');
const look = (callId: string, startTime: number, selector: string): readonly object[] => [
  { type: 'before', callId, startTime, class: 'Frame', method: 'queryCount', params: { selector } },
  { type: 'after', callId, endTime: startTime + 5 },
];

it('tells what was done and waited for, looks at the same thing as one wait, and what failed or never ended', () => {
  const trace = lines(
    { type: 'context-options' },
    ...look('1', 1_000, '.answer'),
    ...look('2', 1_010, '.loading'),
    ...look('3', 1_100, '.answer'),
    ...look('4', 1_110, '.loading'),
    {
      type: 'before',
      callId: '5',
      startTime: 2_000,
      class: 'Page',
      method: 'keyboardPress',
      params: { key: 'Enter' },
    },
    { type: 'after', callId: '5', endTime: 2_100, error: { message: 'no' } },
    {
      type: 'before',
      callId: '6',
      startTime: 3_000,
      class: 'Frame',
      method: 'click',
      params: { selector: '.yes' },
    },
  );
  expect(describeTrace(trace).split('\n')).toEqual([
    '   0.00 s +   0.10 s  Frame.queryCount .answer ×2',
    '   0.01 s +   0.10 s  Frame.queryCount .loading ×2',
    '   1.00 s +   0.10 s  Page.keyboardPress Enter (failed)',
    '   2.00 s +   0.00 s  Frame.click .yes (never ended)',
  ]);
});
