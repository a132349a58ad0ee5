import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createNodeProcesses } from '../../host/node/nodeProcesses.ts';
import type { Processes } from '../../host/processes.ts';
import { createRunDocker } from './runDocker.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-run-docker-')));
});
afterEach(() => rm(folder, { recursive: true }));

async function putDocker(script: string): Promise<void> {
  await writeFile(join(folder, 'docker'), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'docker'), 0o755);
}

describe.skipIf(process.platform === 'win32')('the Docker client', () => {
  test('is ended where it does not answer in time', async () => {
    await putDocker('echo waiting; exec sleep 600');
    const clock = createManualClock();
    const real = createNodeProcesses();
    const processes: Processes = {
      ...real,
      async start(request) {
        const running = await real.start(request);
        // It runs: from here on nothing but the clock ends it.
        running.onOutput(() => clock.advance(5_000));
        return running;
      },
    };
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
    const docker = createRunDocker(processes, folder, env, { clock, ms: 5_000 });
    await expect(docker(['version'])).rejects.toMatchObject({ code: 'docker_silent' });
  });

  test('that answers in time is not ended later', async () => {
    await putDocker('echo 27.1');
    const clock = createManualClock();
    const docker = createRunDocker(
      createNodeProcesses(),
      folder,
      { PATH: folder },
      {
        clock,
        ms: 5_000,
      },
    );
    await expect(docker(['version'])).resolves.toBe('27.1');
    clock.advance(5_000);
  });
});
