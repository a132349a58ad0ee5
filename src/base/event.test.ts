import { afterEach, expect, it, vi } from 'vitest';
import { createEmitter } from './event.ts';

afterEach(() => void vi.unstubAllGlobals());

it('calls every listener when one throws, and lets the error surface', () => {
  const jobs: (() => void)[] = [];
  vi.stubGlobal('queueMicrotask', (job: () => void) => void jobs.push(job));
  const emitter = createEmitter<string>();
  const heard: string[] = [];
  emitter.event(() => {
    throw new Error('mine');
  });
  emitter.event((value) => void heard.push(value));
  emitter.fire('a');
  expect(heard).toEqual(['a']);
  expect(jobs).toHaveLength(1);
  expect(jobs[0]).toThrow('mine');
});
