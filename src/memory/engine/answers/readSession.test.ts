import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openEngineWorld, type EngineWorld } from '../../../../test/builders/openEngineWorld.ts';

const never = new AbortController().signal;
let world: EngineWorld;

afterEach(async () => await world.close());

const id = '0e8a1c1e-1111-4222-8333-444455556666';
const label = `sessions/${id}.jsonl`;

function said(role: 'user' | 'assistant', text: string): string {
  const message = {
    role,
    content: [{ type: 'text', text }],
    timestamp: 1,
    provider: 'p',
    model: 'm',
    stopReason: 'stop',
  };
  return JSON.stringify({ type: 'message', id: 'i', parentId: null, message });
}

/** Writes a session that nobody has spoken in for an hour. */
async function writeSession(...lines: readonly string[]): Promise<string> {
  const { sessionsFolder } = world.settings;
  const path = join(sessionsFolder, `${id}.jsonl`);
  const header = JSON.stringify({ type: 'session', version: 1, id, createdAt: 1, folders: [] });
  await mkdir(sessionsFolder, { recursive: true });
  await writeFile(path, `${[header, ...lines].join('\n')}\n`);
  const hourAgo = Date.now() / 1_000 - 3_600;
  await utimes(path, hourAgo, hourAgo);
  return path;
}

it('finds what was said in a session where that is switched on, by the lines that reading it gives', async () => {
  world = await openEngineWorld({ 'a.md': 'tulip' });
  await writeSession(said('user', 'Which flower?'), said('assistant', 'A tulip, of course.'));
  const engine = await world.open();
  expect(await engine.labels('tulip')).toEqual(['a.md']);
  expect(await engine.readSession(label)).toBeUndefined();

  await engine.configure({ ...world.settings, sources: ['memory', 'sessions'] });
  await engine.sync({}, never);
  const { hits } = await engine.ask('tulip', { sources: ['sessions'] });
  expect(hits.map((hit) => [hit.label, hit.source])).toEqual([[label, 'sessions']]);
  const lines = (await engine.readSession(label))?.split('\n') ?? [];
  const { startLine = 0, endLine = 0 } = hits[0] ?? {};
  expect(lines.slice(startLine - 1, endLine).join('\n')).toContain('Assistant: A tulip, of course.');
});

it('gives nothing of a session that was forgotten', async () => {
  world = await openEngineWorld();
  const path = await writeSession(said('user', 'Hello'), said('assistant', 'Good day'));
  const engine = await world.open({ sources: ['sessions'] });
  expect(await engine.readSession(label)).toContain('Good day');
  await engine.forget(path);
  expect(await engine.readSession(label)).toBeUndefined();
  expect(await engine.labels('day')).toEqual([]);
});
