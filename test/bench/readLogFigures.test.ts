import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeFolder } from '../e2e/driver/writeFiles.ts';
import { readLogFigures } from './readLogFigures.ts';

let logs: string;
beforeEach(async () => {
  logs = await mkdtemp(join(tmpdir(), 'pincer-bench-'));
});
afterEach(() => rm(logs, { recursive: true, force: true }));

it('gives the figures of all windows, oldest first', async () => {
  await writeFolder(logs, {
    files: {
      'run/exthost1/pincer-dev.pincer/Pincer.log':
        '2026-01-01 10:00:02.000 [info] Activated in 3.0 ms\n2026-01-01 10:00:02.500 [info] Runtime ready in 9 ms\n',
      'run/exthost2/pincer-dev.pincer/Pincer.log':
        '2026-01-01 10:00:01.000 [info] Activated in 12 ms\n2026-01-01 10:00:03.000 [info] Activated in 7 ms\n',
      'run/exthost2/other.log': '2026-01-01 10:00:01.000 [info] Activated in 99 ms\n',
    },
  });
  expect(await readLogFigures(logs, 'Activated in')).toEqual([12, 3, 7]);
});

it('leaves out a line that is not written to its end, and finds nothing before there are logs', async () => {
  await writeFolder(logs, { files: { 'a/Pincer.log': '2026-01-01 10:00:02.000 [info] Activated in 3.' } });
  expect(await readLogFigures(logs, 'Activated in')).toEqual([]);
  expect(await readLogFigures(join(logs, 'not-there'), 'Activated in')).toEqual([]);
});
