import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookTrace } from '../hooks/hookTrace.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createRunTraces, type RunTraces, type RunTracesParts } from './createRunTraces.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-traces-'));
});
const opened: RunTraces[] = [];
afterEach(async () => {
  for (const traces of opened.splice(0)) await traces.flush();
  await rm(folder, { recursive: true });
});

function setUp(more: Partial<RunTracesParts> = {}) {
  const clock = createManualClock(1_000);
  const log = createInMemoryLog();
  const traces = createRunTraces({
    clock,
    log,
    fs: createNodeFileSystem(),
    folder: join(folder, 'traces'),
    ...more,
  });
  opened.push(traces);
  const hook = (record: Partial<HookTrace>) =>
    traces.hookCalled({
      hook: 'before_tool_call',
      pluginId: 'guard',
      startedAt: clock.monotonic(),
      durationMs: 1,
      outcome: 'nothing',
      context: { runId: 'r1' },
      ...record,
    });
  const finish = (runId: string) => {
    traces.end(runId, { status: 'completed' });
    traces.settle(runId);
  };
  return { clock, log, traces, hook, finish };
}

const changes = [{ path: 'prependContext', after: 'the user said hunter2' }];

describe('what belongs to which run', () => {
  it('keeps hooks and steps of a run in the order they began', async () => {
    const { traces, hook, clock } = setUp();
    traces.begin({ runId: 'r1', sessionKey: 's', sessionId: 'id' });
    clock.advance(5);
    traces.step('r1', { kind: 'message', outcome: 'received', startedAt: 1_005, durationMs: 0 });
    hook({ startedAt: 1_001 });
    const trace = await traces.get('r1');
    expect(trace?.lines.map(({ kind, at }) => [kind, at])).toEqual([
      ['hook', 1],
      ['message', 5],
    ]);
    expect(trace?.status).toBe('running');
  });

  it('puts hooks that only know their session into the run that the session is in', async () => {
    const { traces, hook, finish } = setUp();
    const ofSession = {
      hook: 'before_message_write',
      context: { agentId: 'main', sessionKey: 's' },
    } as const;
    traces.begin({ runId: 'r1', sessionKey: 's', sessionId: 'id' });
    hook(ofSession);
    finish('r1');
    hook(ofSession);
    expect((await traces.get('r1'))?.lines).toHaveLength(1);
    expect(traces.outside().lines).toHaveLength(1);
  });

  it('says of runs of one chat that overlap that they do not tell all, once a hook could belong to either', async () => {
    const { traces, hook } = setUp();
    traces.begin({ runId: 'r1', sessionKey: 's', sessionId: 'id' });
    traces.begin({ runId: 'r2', sessionKey: 's', sessionId: 'id' });
    hook({ hook: 'tool_result_persist', outcome: 'changed', context: { sessionKey: 's' } });
    for (const runId of ['r1', 'r2']) expect((await traces.get(runId))?.omitted).toBeGreaterThan(0);
  });

  it('keeps what happens outside of runs apart', () => {
    const { traces, hook } = setUp();
    traces.begin({ runId: 'r1', sessionKey: 's', sessionId: 'id' });
    hook({ hook: 'gateway_start', context: {} });
    hook({ hook: 'session_start', context: { sessionId: 'i', sessionKey: 's' } });
    expect(traces.outside().lines).toMatchObject([{ hook: 'gateway_start' }, { hook: 'session_start' }]);
  });

  it('finds the newest run of a session, and a run by the beginning of its id', async () => {
    const { traces, clock, finish } = setUp();
    for (const [runId, sessionKey] of [
      ['aa-1', 's1'],
      ['ab-2', 's2'],
      ['b-3', 's1'],
    ] as const) {
      clock.advance(1);
      traces.begin({ runId, sessionKey, sessionId: 'id' });
      finish(runId);
    }
    expect((await traces.last())?.runId).toBe('b-3');
    expect((await traces.last('s2'))?.runId).toBe('ab-2');
    expect((await traces.get('b'))?.runId).toBe('b-3');
    expect(await traces.get('a')).toBeUndefined();
  });
});

describe('what may not be written down', () => {
  it('drops every value and text of a run that ends blocked', async () => {
    const { traces, hook } = setUp();
    traces.begin({ runId: 'r1', sessionKey: 's', sessionId: 'id' });
    hook({ hook: 'before_prompt_build', outcome: 'changed', changes });
    hook({ hook: 'message_received', outcome: 'failed', error: 'cannot parse hunter2' });
    hook({ outcome: 'decided', decision: { kind: 'asked', reason: 'about hunter2' } });
    traces.end('r1', { status: 'blocked', blockedBy: 'gate' });
    hook({ hook: 'message_received', outcome: 'failed', error: 'late hunter2' });
    traces.settle('r1');
    hook({ hook: 'message_received', outcome: 'failed', error: 'later hunter2' });
    await traces.flush();
    const [file] = await readdir(join(folder, 'traces'));
    const stored = await readFile(join(folder, 'traces', file!), 'utf8');
    const all = JSON.stringify([stored, await traces.list(), traces.outside()]);
    expect(all).not.toContain('hunter2');
    expect(JSON.parse(stored)).toMatchObject({ status: 'blocked', blockedBy: 'gate' });
    expect((await traces.get('r1'))?.lines[0]).toMatchObject({
      changes: [{ path: 'prependContext', isHidden: true }],
    });
  });

  it('drops them from the moment a gate has blocked', async () => {
    const { traces, hook } = setUp();
    traces.begin({ runId: 'r1', sessionKey: 's', sessionId: 'id' });
    hook({ hook: 'before_prompt_build', outcome: 'changed', changes });
    hook({ hook: 'before_agent_run', outcome: 'decided', decision: { kind: 'blocked' } });
    expect(JSON.stringify(await traces.get('r1'))).not.toContain('hunter2');
  });

  it('takes secrets out before it cuts a text short', async () => {
    const secret = 'x'.repeat(190) + 'sk-1234567890abcdef';
    const { traces, hook } = setUp({ redact: (text) => text.replace(/sk-\w{16}/u, '***') });
    traces.begin({ runId: 'r1', sessionKey: 's', sessionId: 'id' });
    hook({ outcome: 'changed', changes: [{ path: 'params.key', before: secret, after: 'y' }] });
    expect(JSON.stringify(await traces.get('r1'))).not.toContain('sk-');
  });

  it('keeps what a question was about without its secrets, and nothing of it where a gate has blocked', async () => {
    const { traces } = setUp({ redact: (text) => text.replace(/sk-\w{16}/u, '***') });
    const times = { startedAt: 1_000, durationMs: 1 };
    const of = { toolName: 'exec', toolCallId: 'c1', title: 'Run a command', askers: ['host'] };
    const answer = { resolution: 'deny', by: 'chat', isAllowed: false };
    const asked = 'deploy\n--key sk-1234567890abcdef';
    traces.begin({ runId: 'r1', sessionKey: 's', sessionId: 'id' });
    traces.step('r1', { kind: 'approval', ...of, ...answer, asked, ...times });
    expect((await traces.get('r1'))?.lines).toMatchObject([{ asked: 'deploy --key ***' }]);
    traces.step('r1', { kind: 'message', outcome: 'replaced', ...times });
    expect(JSON.stringify(await traces.get('r1'))).not.toContain('deploy');
  });

  it('makes every text one short, inert line', async () => {
    const { traces, hook } = setUp();
    traces.begin({ runId: 'r1', sessionKey: 's', sessionId: 'id' });
    const hostile = `one\ntwo\u202e${'x'.repeat(500)}`;
    hook({ outcome: 'failed', error: hostile });
    const line = (await traces.get('r1'))?.lines[0];
    const text = line?.kind === 'hook' ? (line.error ?? '') : '';
    expect(text).toMatch(/^one twox+…$/u);
    expect(text).toHaveLength(200);
  });
});

describe('on disk', () => {
  it('lets another process read the traces, and keeps only the newest', async () => {
    const first = setUp({ keep: 2 });
    for (const runId of ['r1', 'r2', 'r3']) {
      first.clock.advance(10);
      first.traces.begin({ runId, sessionKey: 's', sessionId: 'id' });
      first.finish(runId);
    }
    await first.traces.flush();
    expect(await readdir(join(folder, 'traces'))).toHaveLength(2);
    const other = setUp();
    expect((await other.traces.list()).map((trace) => trace.runId)).toEqual(['r3', 'r2']);
  });

  it('leaves out files that are broken or not ours', async () => {
    const { traces, finish } = setUp();
    traces.begin({ runId: 'r1', sessionKey: 's', sessionId: 'id' });
    finish('r1');
    await traces.flush();
    await writeFile(join(folder, 'traces', '000000000000001-broken.json'), '{"version":1');
    await writeFile(join(folder, 'traces', '000000000000002-odd.json'), '{"version":1,"lines":[7]}');
    await writeFile(join(folder, 'traces', 'notes.txt'), 'mine');
    expect(await setUp().traces.list()).toHaveLength(1);
  });

  it('says once that traces cannot be stored, and goes on', async () => {
    await writeFile(join(folder, 'traces'), 'a file in the way');
    const { traces, finish, log } = setUp();
    for (const runId of ['r1', 'r2']) {
      traces.begin({ runId, sessionKey: 's', sessionId: 'id' });
      finish(runId);
    }
    await traces.flush();
    expect(log.lines.filter((line) => line.level === 'warn')).toHaveLength(1);
  });
});

it('keeps at most 2 000 hook lines of a run and counts the rest', async () => {
  const { traces, hook } = setUp();
  traces.begin({ runId: 'r1', sessionKey: 's', sessionId: 'id' });
  for (let at = 0; at < 2_003; at += 1) hook({});
  const trace = await traces.get('r1');
  expect([trace?.lines.length, trace?.omitted]).toEqual([2_000, 3]);
});

it('leaves out stages of a tool call that say nothing', async () => {
  const { traces } = setUp();
  traces.begin({ runId: 'r1', sessionKey: 's', sessionId: 'id' });
  const call = { kind: 'tool', toolName: 'read', toolCallId: 'c', startedAt: 0, durationMs: 0 } as const;
  traces.step('r1', { ...call, stage: 'validate', outcome: 'done' });
  traces.step('r1', { ...call, stage: 'prepare', outcome: 'failed', error: 'no' });
  traces.step('r1', { ...call, stage: 'execute', outcome: 'done' });
  const lines = (await traces.get('r1'))?.lines;
  expect(lines).toMatchObject([{ stage: 'prepare' }, { stage: 'execute' }]);
});
