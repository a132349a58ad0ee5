import { beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryOf, never, recordOutput } from '../../../test/builders/memoryParts.ts';
import { cancelledError } from '../../base/abort.ts';
import { createEmitter } from '../../base/event.ts';
import type { Memory, MemoryProgress, SyncReport } from '../../memory/memory.ts';
import { exitCodeOfError } from '../exitCodes.ts';
import { indexMemory } from './memoryIndex.ts';
import { withInterrupt } from '../withInterrupt.ts';

let { output, out, err } = recordOutput();
beforeEach(() => void ({ output, out, err } = recordOutput()));

describe('pincer memory index', () => {
  const report: SyncReport = {
    added: 2,
    changed: 1,
    removed: 0,
    unchanged: 9,
    leftOut: 1,
    passages: 42,
    tookMs: 130,
  };
  let progressLine = '';
  const quiet = { isTTY: false, write: (text: string) => void (progressLine += text) };

  it('says what it did', async () => {
    const sync = vi.fn<Memory['sync']>(async () => report);
    await indexMemory(memoryOf({ sync }), {}, output, quiet, never);
    expect(sync).toHaveBeenCalledWith({ rebuild: false }, never);
    expect(out()).toBe(
      'Files: 2 new, 1 changed, 0 removed, 9 unchanged, 1 left out. The index holds 42 passages. It took 130 ms.\n',
    );
    expect(err()).toBe('');
  });

  it('reads everything again where it is asked to', async () => {
    const sync = vi.fn<Memory['sync']>(async () => report);
    await indexMemory(memoryOf({ sync }), { rebuild: true, json: true }, output, quiet, never);
    expect(sync).toHaveBeenCalledWith({ rebuild: true }, never);
    expect(JSON.parse(out())).toEqual(report);
  });

  it('shows its progress on a terminal alone, on one line that is cleared at the end', async () => {
    const changes = createEmitter<undefined>();
    let progress: MemoryProgress | undefined;
    const memory = memoryOf({
      onDidChange: changes.event,
      progress: () => progress,
      sync: async () => {
        progress = { phase: 'index', done: 1, total: 3 };
        changes.fire(undefined);
        progress = undefined;
        changes.fire(undefined);
        return report;
      },
    });
    await indexMemory(memory, {}, output, quiet, never);
    expect(progressLine).toBe('');
    await indexMemory(memory, {}, output, { ...quiet, isTTY: true }, never);
    expect(progressLine).toBe('\r\u001B[2KReading 1 of 3 files\r\u001B[2K');
    changes.fire(undefined);
    expect(progressLine).toMatch(/3 files\r\u001B\[2K$/u);
  });

  it('ends at Ctrl-C with 130, and says what is kept', async () => {
    const sync: Memory['sync'] = (_options, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(cancelledError()));
        process.emit('SIGINT');
      });
    const before = process.listenerCount('SIGINT');
    const work = withInterrupt((signal) => indexMemory(memoryOf({ sync }), {}, output, quiet, signal));
    await expect(work).rejects.toMatchObject({
      code: 'cancelled',
      hint: expect.stringContaining('kept') as string,
    });
    expect(exitCodeOfError('cancelled')).toBe(130);
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});
