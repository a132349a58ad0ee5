import { describe, expect, it } from 'vitest';
import { createTranscriptWriter, type TranscriptWriter } from './createTranscriptWriter.ts';
import { parseTranscript } from './parseTranscript.ts';

/** A disk that does what the test says: it keeps a write waiting, or fails after some bytes. */
function createDisk(): {
  readonly writer: TranscriptWriter;
  readonly text: () => string;
  readonly writes: string[];
  failAfter: number | undefined;
  release: (() => void) | undefined;
  isHeld: boolean;
} {
  let text = '';
  const disk = {
    text: () => text,
    writes: [] as string[],
    failAfter: undefined as number | undefined,
    release: undefined as (() => void) | undefined,
    isHeld: false,
  };
  const fs = {
    async appendDurably(_path: string, added: string) {
      disk.writes.push(added);
      if (disk.isHeld) await new Promise<void>((resolve) => (disk.release = resolve));
      const { failAfter } = disk;
      text += added.slice(0, failAfter ?? added.length);
      if (failAfter !== undefined) throw new Error('The disk is full.');
    },
  };
  return Object.assign(disk, {
    writer: createTranscriptWriter({ fs, file: '/f', head: () => header, isNew: true }),
  });
}

const id = '0b6c3b1e-52f0-4f0e-9c0f-1f6f0a6f6a01';
const header = JSON.stringify({
  ...{ type: 'session', version: 2, id, key: 'k', kind: 'chat', agentId: 'main', createdAt: 1, folders: [] },
});
const line = (name: string): string => JSON.stringify({ type: 'name', id: name, parentId: null, name });
const idsIn = (text: string): readonly string[] => parseTranscript(text).entries.map((entry) => entry.id);

describe('transcript writer', () => {
  it('writes the head with the first line, and both in one call', async () => {
    const { writer, writes } = createDisk();
    await writer.write(line('a'));
    expect(writes).toEqual([`${header}\n${line('a')}\n`]);
  });

  it('writes what it holds with the next line, in its order', async () => {
    const { writer, writes } = createDisk();
    writer.hold(line('a'));
    await writer.settled();
    expect(writes).toEqual([]);
    await writer.write(line('b'));
    expect(writes).toEqual([`${header}\n${line('a')}\n${line('b')}\n`]);
  });

  it('writes together what came while the disk was busy, in its order', async () => {
    const disk = createDisk();
    disk.isHeld = true;
    const first = disk.writer.write(line('a'));
    await Promise.resolve();
    const rest = ['b', 'c', 'd'].map((name) => disk.writer.write(line(name)));
    disk.isHeld = false;
    disk.release?.();
    await Promise.all([first, ...rest]);
    expect(disk.writes).toHaveLength(2);
    expect(idsIn(disk.text())).toEqual(['a', 'b', 'c', 'd']);
  });

  it('tells of a failed write, wherever it stopped, and makes up for it with the next one', async () => {
    const whole = `${header}\n${line('a')}\n`.length;
    for (let failAfter = 0; failAfter <= whole; failAfter += 1) {
      const disk = createDisk();
      disk.failAfter = failAfter;
      await expect(disk.writer.write(line('a'))).rejects.toThrow('full');
      disk.failAfter = undefined;
      await disk.writer.write(line('b'));
      const { entries, header: found, damaged, isTorn } = parseTranscript(disk.text());
      expect(entries.map((entry) => entry.id)).toEqual(['a', 'b']);
      expect({ id: found?.id, damaged, isTorn }).toEqual({ id, damaged: 0, isTorn: false });
    }
  });
});
