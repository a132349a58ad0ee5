import { expect, it } from 'vitest';
import type { Job, JobRun } from '../../schedule/job.ts';
import type { JobState } from '../../schedule/schedule.ts';
import { planScheduleRows, scheduleRowKey } from './scheduleRows.ts';

const run = (slot: number, more: Partial<JobRun> = {}): JobRun => ({
  ...{ version: 1, jobId: 'a', slot, kind: 'due', owner: '1', startedAt: slot, status: 'ok' },
  ...more,
});
const job = (id: string): Job => ({
  ...{ version: 1, id, name: id, agentId: 'main', isEnabled: true, missed: 'once', prompt: 'Look.' },
  ...{ when: { kind: 'at', at: 1 }, by: { kind: 'user' }, createdAt: 0, updatedAt: 0, since: 0 },
});
const state = (id: string, more: Partial<JobState> = {}): JobState => ({
  ...{
    job: job(id),
    next: undefined,
    last: undefined,
    running: undefined,
    isDone: false,
    waitsForPlace: false,
  },
  ...more,
});

it('shows what runs first, then by when it is due, and what is not due last', () => {
  const rows = planScheduleRows(
    [
      { state: state('paused'), runs: [] },
      { state: state('late', { next: 20 }), runs: [] },
      { state: state('soon', { next: 10 }), runs: [] },
      { state: state('running', { next: 30, running: run(1) }), runs: [] },
      { state: state('done'), runs: [] },
    ],
    new Set(),
  );
  expect(rows.map(({ jobId }) => jobId)).toEqual(['running', 'soon', 'late', 'paused', 'done']);
});

it('shows the last ten runs, each by its time and kind, and names the session of those that have one', () => {
  const runs = [
    run(99, { kind: 'manual', sessionId: 's1', runId: 'r1' }),
    ...Array.from({ length: 20 }, (_, index) => run(98 - index)),
  ];
  const [row] = planScheduleRows([{ state: state('a'), runs }], new Set());
  const children = row?.children ?? [];
  expect(children).toHaveLength(10);
  expect(children[0]).toMatchObject({ jobId: 'a', sessionId: 's1', runId: 'r1' });
  expect(children.slice(0, 2).map(scheduleRowKey)).toEqual(['99-manual', '98-due']);
  expect(children[1]).not.toHaveProperty('sessionId');
});

it('says of a job that its run waits for an answer, and of no other', () => {
  const running = (runId: string): JobState => state(runId, { running: run(1, { runId }) });
  const rows = planScheduleRows(
    [
      { state: running('r1'), runs: [] },
      { state: running('r2'), runs: [] },
      { state: state('idle', { last: run(1, { runId: 'r1' }) }), runs: [] },
    ],
    new Set(['r1']),
  );
  expect(rows.map(({ jobId, isAsking }) => [jobId, isAsking])).toEqual([
    ['r1', true],
    ['r2', false],
    ['idle', false],
  ]);
});
