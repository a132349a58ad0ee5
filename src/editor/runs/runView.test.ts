import { describe, expect, it } from 'vitest';
import type { RunTrace } from '../../traces/runTrace.ts';
import { readFromRunPage } from './runMessages.ts';
import { planRunView } from './runView.ts';

const at = { at: 0, durationMs: 1 };
const trace = (runId: string, startedAt: number, more: Partial<RunTrace> = {}): RunTrace => ({
  version: 1,
  runId,
  sessionKey: 's',
  startedAt,
  durationMs: 5,
  status: 'completed',
  omitted: 0,
  lines: [
    { kind: 'message', outcome: 'received', ...at },
    { kind: 'hook', hook: 'before_tool_call', pluginId: 'guard', outcome: 'nothing', ...at },
    { kind: 'hook', hook: 'agent_end', pluginId: 'notes', outcome: 'nothing', ...at },
    { kind: 'tool', stage: 'execute', outcome: 'done', toolName: 'read', toolCallId: 'c', ...at },
  ],
  ...more,
});
const plan = (traces: readonly RunTrace[], choice = {}) =>
  planRunView(traces, choice, (time) => `t${String(time)}`);

describe('planRunView', () => {
  it('shows the newest run until another is chosen, and again when that one is gone', () => {
    const traces = [trace('b', 2), trace('a', 1)];
    expect(plan(traces)).toMatchObject({ runId: '', status: 'completed' });
    expect(plan(traces, { runId: 'a' }).runId).toBe('a');
    expect(plan(traces, { runId: 'gone' }).lines).toEqual(plan(traces).lines);
    expect(plan(traces).runs.map(({ label }) => label)).toEqual([
      't2 · completed · read',
      't1 · completed · read',
    ]);
  });

  it('keeps what a plugin of the other dialect did at its extension points', () => {
    const point = { kind: 'point', point: 'beforeToolCall', pluginId: 'audit', blocking: false } as const;
    const both = trace('a', 1, { lines: [...trace('a', 1).lines, { ...point, outcome: 'nothing', ...at }] });
    const view = plan([both], { pluginId: 'audit' });
    expect(view.plugins).toEqual(['audit', 'guard', 'notes']);
    expect(view.lines.map(({ title }) => title)).toEqual(
      expect.arrayContaining([expect.stringContaining('audit · beforeToolCall') as unknown]),
    );
    expect(view.lines.some(({ title }) => title.includes('guard'))).toBe(false);
  });

  it('keeps only what a plugin did, and offers those that did something', () => {
    const view = plan([trace('a', 1)], { pluginId: 'guard' });
    expect(view.plugins).toEqual(['guard', 'notes']);
    expect(view.lines.map(({ title }) => title).join('\n')).not.toContain('notes');
    expect(view.lines.some(({ title }) => title.includes('guard'))).toBe(true);
  });

  it('says that there is nothing', () => {
    expect(plan([])).toMatchObject({ status: 'none', lines: [] });
  });
});

describe('readFromRunPage', () => {
  it('takes only choices, and an empty one as none', () => {
    expect(readFromRunPage({ type: 'choose', runId: '', pluginId: 'p' })).toEqual({
      type: 'choose',
      choice: { pluginId: 'p' },
    });
    expect(readFromRunPage({ type: 'run', command: 'x' })).toBeUndefined();
    expect(readFromRunPage('choose')).toBeUndefined();
  });
});
