import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WorkerThread } from '../workers.ts';
import { createNodeWorkers } from './nodeWorkers.ts';

let folder: string;
let threads: WorkerThread[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-workers-'));
  threads = [];
});

afterEach(async () => {
  await Promise.all(threads.map((thread) => thread.terminate()));
  await rm(folder, { recursive: true });
});

async function start(program: string): Promise<WorkerThread> {
  const file = join(folder, 'program.mjs');
  await writeFile(file, `import { parentPort } from 'node:worker_threads';\n${program}`);
  const thread = createNodeWorkers().start(file);
  threads.push(thread);
  return thread;
}

const endOf = (thread: WorkerThread): Promise<Error | undefined> =>
  new Promise((resolve) => thread.onEnd(resolve));
const messageOf = (thread: WorkerThread): Promise<unknown> =>
  new Promise((resolve) => thread.onMessage(resolve));

it('carries messages both ways', async () => {
  const thread = await start("parentPort.on('message', (said) => parentPort.postMessage({ said }));");
  thread.post({ list: [1, new Uint8Array([2])] });
  expect(await messageOf(thread)).toEqual({ said: { list: [1, new Uint8Array([2])] } });
});

it('tells why a thread failed, and that one ended by itself or was ended', async () => {
  expect((await endOf(await start("throw new Error('broken');")))?.message).toBe('broken');
  expect(await endOf(await start(''))).toBeUndefined();
  const thread = await start("parentPort.on('message', () => undefined);");
  const ended = endOf(thread);
  await thread.terminate();
  expect(await ended).toBeUndefined();
});

it('tells of a program that is not there', async () => {
  const thread = createNodeWorkers().start(join(folder, 'missing.mjs'));
  threads.push(thread);
  expect((await endOf(thread))?.message).toContain('missing.mjs');
});
