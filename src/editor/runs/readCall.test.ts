import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createSessionStore } from '../../sessions/sessionStore.ts';
import { nameCall, readCall } from './readCall.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-calls-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('reads a call with its parameters and its result, also once a compaction stands for it', async () => {
  const sessions = createSessionStore({
    ...{ fs: createNodeFileSystem(), clock: createManualClock(5), log: createInMemoryLog() },
    ...{ folder, channel: 'vscode' },
  });
  const session = sessions.create(['/w']);
  await session.append({ role: 'user', content: [{ type: 'text', text: 'Read it' }], timestamp: 1 });
  await session.append({
    ...{ role: 'assistant', provider: 'p', model: 'm', stopReason: 'toolUse', timestamp: 2 },
    content: [{ type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'chart.md' } }],
  });
  await session.append({
    ...{ role: 'toolResult', toolCallId: 'c1', toolName: 'read', isError: false, timestamp: 3 },
    content: [{ type: 'text', text: 'rocks ahead' }],
  });
  await session.compact({
    ...{ summary: 'It was read.', firstKeptId: null, by: 'user', model: { provider: 'p', model: 'm' } },
    ...{ tokensBefore: 2, tokensAfter: 1, compactedCount: 3, timestamp: 4 },
  });
  const conversations = { sessions, readWhole: sessions.readWhole };
  const runtime = { conversations, turns: { traces: { get: () => Promise.resolve(undefined) } } };
  const place = { sessionId: session.id, toolCallId: 'c1' };
  const text = await readCall(runtime, place);
  expect(text).toContain('"path": "chart.md"');
  expect(text).toContain('rocks ahead');
  expect(await nameCall(runtime, place)).toBe('read chart.md');
  expect(await nameCall(runtime, { ...place, sessionId: 'none' })).toBeUndefined();
});
