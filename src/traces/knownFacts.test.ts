import { expect, it } from 'vitest';
import { knownFacts } from './knownFacts.ts';
import type { RunTrace, TraceLine } from './runTrace.ts';

const ran = (toolCallId: string): TraceLine => ({
  ...{ kind: 'tool', stage: 'execute', outcome: 'done', toolName: 'exec', toolCallId },
  ...{ at: 0, durationMs: 1 },
});
const hooked = (
  hook: 'tool_result_persist' | 'before_tool_call',
  outcome: 'nothing' | 'changed' | 'failed',
): TraceLine => ({
  ...{ kind: 'hook', hook, pluginId: 'p', outcome, toolCallId: 'other' },
  ...{ at: 0, durationMs: 1 },
});
const traceOf = (lines: readonly TraceLine[], omitted = 0): RunTrace => ({
  ...{ version: 1, runId: 'r', sessionKey: 'k', startedAt: 0, status: 'completed', lines, omitted },
});

it('takes the details of a stored result for facts where the program itself wrote them: its own tool, or what stopped the call', () => {
  expect(knownFacts(traceOf([ran('c')]), 'c', true)).toBe('details');
  expect(knownFacts(traceOf([hooked('before_tool_call', 'changed')]), 'c', false)).toBe('details');
  expect(knownFacts(traceOf([ran('c')]), 'c', false)).toBe('outcome');
});

it('takes nothing for a fact where a plugin could change results, or nobody knows whether one could', () => {
  for (const outcome of ['changed', 'failed'] as const)
    expect(
      knownFacts(traceOf([ran('c'), hooked('tool_result_persist', outcome)]), 'c', true),
    ).toBeUndefined();
  expect(knownFacts(traceOf([ran('c'), hooked('tool_result_persist', 'nothing')]), 'c', true)).toBe(
    'details',
  );
  expect(knownFacts(traceOf([ran('c')], 1), 'c', true)).toBeUndefined();
  expect(knownFacts(undefined, 'c', true)).toBeUndefined();
});
