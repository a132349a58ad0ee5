import { beforeEach, describe, expect, it } from 'vitest';
import { memoryOf, recordOutput, status } from '../../../test/builders/memoryParts.ts';
import type { MemoryStatus } from '../../memory/memory.ts';
import { showMemoryStatus } from './memoryStatus.ts';

let { output, out } = recordOutput();
beforeEach(() => void ({ output, out } = recordOutput()));

describe('pincer memory status', () => {
  it('says what is indexed, where, and what is off', async () => {
    await showMemoryStatus(memoryOf({ status: async () => status }), {}, output);
    expect(out()).toBe(
      [
        'Files            3 files, 1 of them changed and not read yet',
        'Passages         42',
        'Index            /state/memory/index.sqlite (3.4 MB, generation 7)',
        'Last scan        2026-11-21T17:00:00.000Z, in 1.3 s',
        'Updated by       this process',
        'Semantic search  off: no provider is set up',
        '',
      ].join('\n'),
    );
  });

  it('gives the whole of it as JSON', async () => {
    await showMemoryStatus(memoryOf({ status: async () => status }), { json: true }, output);
    expect(JSON.parse(out())).toEqual(status);
  });

  it('says that it is switched off', async () => {
    const disabled = { ...status, isEnabled: false };
    await showMemoryStatus(memoryOf({ status: async () => disabled }), {}, output);
    expect(out()).toBe('Memory  switched off by the config (memory.enabled)\n');
  });

  it('says so before the first scan, and who keeps the index', async () => {
    const { lastSync: _at, lastSyncMs: _took, ...rest } = status;
    const other: MemoryStatus = {
      ...rest,
      bytes: 0,
      role: 'reading',
      vector: { state: 'on', provider: 'openai', model: 'small', embedded: 40, total: 42 },
      progress: { phase: 'index', done: 1, total: 3 },
    };
    await showMemoryStatus(memoryOf({ status: async () => other }), {}, output);
    expect(out()).toContain('(not saved yet)');
    expect(out()).toContain('never finished; pincer memory index does it');
    expect(out()).toContain('another window');
    expect(out()).toContain('on: openai, small; 40 of 42 passages');
    expect(out()).toContain('Reading 1 of 3 files');
  });
});
