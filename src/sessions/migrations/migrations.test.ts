import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parseTranscript } from '../transcript/parseTranscript.ts';
import { currentVersion, migrations } from './migrations.ts';

const stored = async (name: string): Promise<string> =>
  await readFile(new URL(`../../../test/samples/transcripts/${name}`, import.meta.url), 'utf8');

it('has one step for each version, without a gap, up to the one that is written', () => {
  expect(migrations.map(({ from }) => from)).toEqual(
    Array.from({ length: currentVersion - 1 }, (_, at) => at + 1),
  );
});

it('reads a stored conversation of version 1 as one of the agent main, with every line', async () => {
  const { header, version, entries, damaged, isTorn } = parseTranscript(await stored('v1-turns.jsonl'));
  const id = '0b6c3b1e-52f0-4f0e-9c0f-1f6f0a6f6a01';
  expect(header).toEqual({
    ...{ type: 'session', version: 2, id, key: `agent:main:${id}`, kind: 'chat', agentId: 'main' },
    ...{ createdAt: 1_763_600_000_000, folders: ['/w'] },
  });
  expect({ version, damaged, isTorn }).toEqual({ version: 1, damaged: 0, isTorn: false });
  expect(entries.map((entry) => entry.id)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'e6']);
  expect(entries[3]).toMatchObject({ message: { role: 'toolResult', details: { path: 'notes.md' } } });
});

it('reads one of version 1 that a crash has cut off, all but its last line', async () => {
  const { entries, damaged, isTorn, lostTail } = parseTranscript(await stored('v1-cut-off.jsonl'));
  expect(entries.map((entry) => entry.id)).toEqual(['e1', 'e2']);
  expect({ damaged, isTorn, lostTail }).toEqual({ damaged: 0, isTorn: true, lostTail: true });
});
