import { expect, it } from 'vitest';
import { createRunWaits } from './createRunWaits.ts';

it('knows the latest thousand runs, those that ended without a start among them', async () => {
  const waits = createRunWaits({ now: () => 7, after: () => () => undefined });
  for (let at = 0; at <= 1_000; at += 1)
    waits.note(`run ${String(at)}`, {
      type: 'run_ended',
      runId: `run ${String(at)}`,
      outcome: { status: 'cancelled' },
    });
  const until = (runId: string): Promise<unknown> => waits.until(runId, 0, new AbortController().signal);
  await expect(until('run 0')).rejects.toMatchObject({ code: 'run_unknown' });
  for (const runId of ['run 1', 'run 1000'])
    expect(await until(runId)).toEqual({ startedAt: 7, endedAt: 7, outcome: { status: 'cancelled' } });
});
