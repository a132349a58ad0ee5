import { describe, expect, it } from 'vitest';
import type { HookTrace } from '../hooks/hookTrace.ts';
import { buildTrace, type RunRecord } from './buildTrace.ts';
import { describeTrace } from './describeTrace.ts';
import type { PointFacts, RunStep } from './runTrace.ts';

const record = (more: Partial<RunRecord>): RunRecord => ({
  runId: 'r1',
  sessionKey: 's',
  startedAt: 0,
  origin: 0,
  hooks: [],
  steps: [],
  omitted: 0,
  ...more,
});
const guard: PointFacts = {
  kind: 'point',
  point: 'beforeToolCall',
  pluginId: 'tenant-auth',
  blocking: true,
  outcome: 'nothing',
};
/** What the runner hands on of a call whose registration tells of it. */
const called = (facts: Partial<PointFacts>, startedAt = 1): HookTrace => {
  const { point, pluginId, toolName, toolCallId, changes, ...told } = { ...guard, ...facts };
  const context = { toolName, toolCallId };
  const changed = changes === undefined ? {} : { changes };
  return {
    hook: point,
    pluginId,
    startedAt,
    durationMs: 0.32,
    outcome: 'nothing',
    context,
    ...changed,
    told,
  };
};
const lineOf = (facts: Partial<PointFacts>) =>
  describeTrace(buildTrace(record({ hooks: [called(facts)] }))).at(-1);
const changes = [{ path: 'args.path', before: 'a.txt', after: 'b.txt' }];

describe('the line of a plugin at an extension point', () => {
  const cases: readonly (readonly [Partial<PointFacts>, string, string])[] = [
    [{}, 'quiet', 'tenant-auth · beforeToolCall: no change (0.3 ms)'],
    [{ refused: ['txet'] }, 'policy', 'tenant-auth · beforeToolCall: refused modify.txet (0.3 ms)'],
    [
      { outcome: 'changed', changes },
      'change',
      'tenant-auth · beforeToolCall changed args.path: a.txt → b.txt (0.3 ms)',
    ],
    [
      { outcome: 'blocked', message: 'Not yours.' },
      'block',
      'blocked by tenant-auth · beforeToolCall: Not yours. (0.3 ms)',
    ],
    [
      { outcome: 'ignored', blocking: false, message: 'Not yours.' },
      'quiet',
      'tenant-auth · beforeToolCall wanted to block, which it may not: Not yours. (0.3 ms)',
    ],
    [
      { outcome: 'declined', message: 'No database.' },
      'quiet',
      'tenant-auth · beforeToolCall said it is not ok, which stops nothing: No database. (0.3 ms)',
    ],
    [
      { outcome: 'failed', error: 'boom' },
      'error',
      'tenant-auth · beforeToolCall failed: boom; this blocks (0.3 ms)',
    ],
    [
      { outcome: 'failed', error: 'boom', blocking: false },
      'error',
      'tenant-auth · beforeToolCall failed: boom (0.3 ms)',
    ],
    [{ outcome: 'timed-out' }, 'error', 'tenant-auth · beforeToolCall timed out; this blocks (0.3 ms)'],
    [{ outcome: 'cancelled' }, 'quiet', 'tenant-auth · beforeToolCall was cut off (0.3 ms)'],
  ];
  it.each(cases)('%j', (facts, icon, title) => {
    expect(lineOf(facts)).toMatchObject({ icon, title });
  });

  it('has what it changed before it blocked, and each notice, below it', () => {
    const notices = [
      { kind: 'block', code: 'TOOL_NOT_ALLOWED', message: 'Not yours.' },
      { kind: 'info', message: 'Asked the database.' },
      { kind: 'warn', code: 'SLOW', message: '' },
    ];
    expect(lineOf({ outcome: 'blocked', changes, notices })?.details).toEqual([
      'changed args.path: a.txt → b.txt',
      'block: TOOL_NOT_ALLOWED: Not yours.',
      'info: Asked the database.',
      'warn: SLOW',
    ]);
  });
});

it('tells one tool call that both dialects judged in the order it happened', () => {
  const call = { toolName: 'write', toolCallId: 'c1' };
  const hook = (name: 'before_tool_call' | 'tool_result_persist', startedAt: number) =>
    ({
      hook: name,
      pluginId: 'openclaw-guard',
      outcome: 'nothing',
      context: call,
      startedAt,
      durationMs: 1,
    }) as const;
  const steps: readonly RunStep[] = [
    { kind: 'policy', ...call, outcome: 'asked', startedAt: 3, durationMs: 0 },
    { kind: 'tool', stage: 'execute', outcome: 'done', ...call, startedAt: 4, durationMs: 1 },
  ];
  const trace = buildTrace(
    record({
      steps,
      hooks: [
        hook('before_tool_call', 1),
        called({ ...call, outcome: 'changed', changes }, 2),
        called({ ...call, point: 'afterToolResult' }, 5),
        hook('tool_result_persist', 6),
      ],
    }),
  );
  expect(describeTrace(trace).map(({ depth, title }) => `${depth} ${title}`)).toEqual([
    '0 Tool call: write',
    '1 openclaw-guard · before_tool_call: no change (1.0 ms)',
    '1 tenant-auth · beforeToolCall changed args.path: a.txt → b.txt (0.3 ms)',
    '1 host rules ask for approval',
    '1 write ran (1.0 ms)',
    '1 tenant-auth · afterToolResult: no change (0.3 ms)',
    '1 openclaw-guard · tool_result_persist: no change (1.0 ms)',
  ]);
});

describe('what may not be written down', () => {
  const talkative = {
    message: 'hunter2',
    error: 'hunter2',
    changes: [{ path: 'text', before: 'hunter2' }],
    notices: [{ kind: 'warn', code: 'SEEN', message: 'hunter2' }],
  } as const;
  const stops = [
    { outcome: 'blocked' },
    { outcome: 'failed', blocking: true },
    { outcome: 'timed-out', blocking: true },
  ] as const;

  it.each(
    (['beforeLLMRequest', 'beforeResponse'] as const).flatMap((point) =>
      stops.map((stop) => [point, stop] as const),
    ),
  )('leaves no words of %s where a plugin stopped it: %j', (point, stop) => {
    const hooks = [
      called({ point, outcome: 'changed', ...talkative }),
      called({ point, ...stop, ...talkative }, 2),
    ];
    const trace = buildTrace(record({ hooks }));
    expect(JSON.stringify(trace)).not.toContain('hunter2');
    expect(trace.lines[0]).toMatchObject({ notices: [{ kind: 'warn', code: 'SEEN', message: '' }] });
  });

  it.each([
    ['nobody stopped it', { point: 'beforeResponse', outcome: 'failed', blocking: false }],
    ['a tool call was stopped', { point: 'beforeToolCall', outcome: 'blocked' }],
  ] as const)('keeps the words where %s', (_what, facts) => {
    expect(JSON.stringify(buildTrace(record({ hooks: [called({ ...facts, ...talkative })] })))).toContain(
      'hunter2',
    );
  });

  it('makes the words of a plugin inert', () => {
    const line = buildTrace(
      record({ hooks: [called({ pluginId: 'a\nb', toolName: 'w\u202E', message: 'x\u202E\ny' })] }),
    );
    expect(line.lines[0]).toMatchObject({ pluginId: 'a b', toolName: 'w', message: 'x y' });
  });
});
