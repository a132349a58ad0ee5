import { describe, expect, it } from 'vitest';
import { describeTrace } from './describeTrace.ts';
import type { HookFacts, RunTrace, StepFacts, TraceLine } from './runTrace.ts';

const at = { at: 1, durationMs: 0.32 };
const trace = (lines: readonly TraceLine[], more: Partial<RunTrace> = {}): RunTrace => ({
  version: 1,
  runId: 'r1',
  sessionKey: 's',
  startedAt: 0,
  status: 'running',
  lines,
  omitted: 0,
  ...more,
});
const guard = { kind: 'hook', hook: 'before_tool_call', pluginId: 'guard' } as const;
const said = (facts: StepFacts | HookFacts) => describeTrace(trace([{ ...facts, ...at }])).at(-1);

describe('what happens around model calls', () => {
  const steps: readonly (readonly [StepFacts, string, string])[] = [
    [
      { kind: 'compaction', outcome: 'compacted', tokensBefore: 9_000, tokensAfter: 800 },
      'change',
      'the conversation was compacted: about 9000 tokens became 800 (0.3 ms)',
    ],
    [
      { kind: 'compaction', outcome: 'failed', error: 'M is offline.' },
      'error',
      'the conversation could not be compacted: M is offline. (0.3 ms)',
    ],
    [
      { kind: 'retry', attempt: 2, waitMs: 1_500, error: 'busy' },
      'error',
      'the model failed and is asked again (2 tries so far): busy',
    ],
    [{ kind: 'fallback', provider: 'q', model: 'small', error: 'gone' }, 'model', 'q/small takes over: gone'],
  ];
  it.each(steps)('%j', (facts, icon, title) => {
    expect(said(facts)).toMatchObject({ icon, title });
  });
});

describe('a hook line', () => {
  const cases: readonly (readonly [Partial<HookFacts>, string, string])[] = [
    [{ outcome: 'nothing' }, 'quiet', 'guard · before_tool_call: no change (0.3 ms)'],
    [
      { outcome: 'changed', changes: [{ path: 'params.path', before: 'a.txt', after: 'b.txt' }] },
      'change',
      'guard · before_tool_call changed params.path: a.txt → b.txt (0.3 ms)',
    ],
    [
      { outcome: 'changed', changes: [{ path: 'a', after: '1' }, { path: 'b' }] },
      'change',
      'guard · before_tool_call changed a, b (0.3 ms)',
    ],
    [
      { outcome: 'decided', decision: { kind: 'blocked', reason: 'no' } },
      'block',
      'blocked by guard · before_tool_call: no (0.3 ms)',
    ],
    [
      { outcome: 'decided', decision: { kind: 'asked', reason: 'Sure?' } },
      'ask',
      'guard · before_tool_call asked for approval: Sure? (0.3 ms)',
    ],
    [
      { outcome: 'timed-out', decision: { kind: 'blocked' } },
      'error',
      'guard · before_tool_call timed out; this blocks (0.3 ms)',
    ],
    [{ outcome: 'failed', error: 'boom' }, 'error', 'guard · before_tool_call failed: boom (0.3 ms)'],
    [
      { outcome: 'invalid', error: 'it must be an object' },
      'error',
      'guard · before_tool_call returned what it may not: it must be an object (0.3 ms)',
    ],
  ];
  it.each(cases)('%j', (facts, icon, title) => {
    expect(said({ ...guard, ...facts })).toMatchObject({ icon, title });
  });

  it('puts every change and what the host made of it below', () => {
    const changes = [
      { path: 'a', after: '1' },
      { path: 'b', before: '2' },
    ];
    expect(said({ ...guard, outcome: 'changed', changes, note: 'b was ignored' })?.details).toEqual([
      'a: added 1',
      'b: removed 2',
      'b was ignored',
    ]);
  });
});

it('puts the lines of a tool call below its heading, each call once', () => {
  const call = (id: string) => ({ toolName: 'write', toolCallId: id });
  const lines = describeTrace(
    trace([
      { kind: 'model', provider: 'p', model: 'm', outcome: 'answered', toolCalls: 2, ...at },
      { ...guard, outcome: 'nothing', ...call('1'), ...at },
      { kind: 'tool', stage: 'execute', outcome: 'done', ...call('1'), ...at },
      { kind: 'policy', outcome: 'refused', reason: 'no', ...call('2'), ...at },
      { kind: 'policy', outcome: 'skipped', reason: 'the user said something new', ...call('3'), ...at },
    ]),
  );
  expect(lines.map(({ depth, title }) => `${String(depth)} ${title}`)).toEqual([
    '0 p/m asked for 2 tool calls (0.3 ms)',
    '0 Tool call: write',
    '1 guard · before_tool_call: no change (0.3 ms)',
    '1 write ran (0.3 ms)',
    '0 Tool call: write',
    '1 blocked by host rules: no',
    '0 Tool call: write',
    '1 not carried out: the user said something new',
  ]);
});

it.each([
  [{ status: 'completed', durationMs: 1_234 }, 'Completed in 1.2 s'],
  [{ status: 'cancelled', durationMs: 12.4 }, 'Cancelled after 12 ms'],
  [{ status: 'blocked', durationMs: 3, blockedBy: 'gate' }, 'Blocked by gate after 3.0 ms'],
  [{ status: 'failed', durationMs: 3, error: 'no network' }, 'Failed after 3.0 ms: no network'],
] as const)('ends with how the run ended: %j', (more, title) => {
  expect(describeTrace(trace([], more)).map((line) => line.title)).toEqual([title]);
});

it('says how many lines were not kept', () => {
  expect(describeTrace(trace([], { omitted: 3 }))[0]?.title).toBe('3 more lines were not kept');
});
