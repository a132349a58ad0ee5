import { drainInjections } from '../../test/builders/drainInjections.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createPluginSessionState, type PluginSessionState } from './pluginSessionState.ts';

const key = 'agent:main:00000000-0000-4000-8000-000000000001';
const target = { pluginId: 'p', namespace: 'n' };

const fs = createNodeFileSystem();
let root = '';
const id = key.slice('agent:main:'.length);
let folder = '';
let file = '';
let log = createInMemoryLog();
let now = 1_000;

function open(): PluginSessionState {
  const clock = { now: () => now, monotonic: () => now, after: () => () => undefined };
  return createPluginSessionState({
    fs,
    log,
    clock,
    folder,
    sessionOf: (asked) => Promise.resolve(asked === key ? id : undefined),
  });
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-state-'));
  folder = join(root, 'sessions');
  file = join(folder, '00000000-0000-4000-8000-000000000001.plugins.json');
  log = createInMemoryLog();
  now = 1_000;
});

afterEach(() => rm(root, { recursive: true }));

it('what was stored is there for the next window', async () => {
  const first = open();
  await first.patch(key, target, { value: { open: 1 } });
  await first.enqueue(key, 'p', { text: 'hello' });
  const second = open();
  await second.open(key);
  expect(second.read(key, 'p', 'n')).toEqual({ open: 1 });
  expect(await drainInjections(second, key, () => true)).toMatchObject([{ text: 'hello' }]);
});

it('hands out copies: nobody changes what is stored by changing what was read', async () => {
  const state = open();
  const value = { list: [1] };
  await state.patch(key, target, { value });
  value.list.push(2);
  (state.read(key, 'p', 'n') as typeof value).list.push(3);
  expect(state.read(key, 'p', 'n')).toEqual({ list: [1] });
});

it('leaves no file where nothing is kept any more', async () => {
  const state = open();
  await state.patch(key, target, { value: 1 });
  expect(await fs.stat(file)).toBeDefined();
  await state.patch(key, target, { unset: true });
  expect(await fs.stat(file)).toBeUndefined();
});

it('drops what expired and what may not be used, and takes both out of the queue', async () => {
  const state = open();
  await state.enqueue(key, 'p', { text: 'short', ttlMs: 10 });
  await state.enqueue(key, 'q', { text: 'forbidden' });
  await state.enqueue(key, 'p', { text: 'stays' });
  now += 10;
  expect(await drainInjections(state, key, (pluginId) => pluginId === 'p')).toMatchObject([
    { text: 'stays' },
  ]);
  expect(await drainInjections(state, key, () => true)).toEqual([]);
});

it('counts only what still waits against the limit', async () => {
  const state = open();
  for (let index = 0; index < 32; index += 1) await state.enqueue(key, 'p', { text: 'old', ttlMs: 5 });
  await expect(state.enqueue(key, 'p', { text: 'one more' })).rejects.toThrow('32 texts');
  now += 5;
  expect(await state.enqueue(key, 'p', { text: 'one more' })).toMatchObject({ enqueued: true });
});

it.each(['not json', '{"version":2}', '[]'])(
  'starts empty and says so where the file holds %s',
  async (text) => {
    await fs.writeFile(file, text);
    const state = open();
    await state.open(key);
    expect(state.read(key, 'p', 'n')).toBeUndefined();
    expect(log.lines).toMatchObject([{ level: 'warn', message: `${file}: it is no plugin state` }]);
  },
);

it.each(['agent:main:../../etc', 'agent:main:', 'x', 'agent:main:00000000-0000-4000-8000-00000000000f'])(
  'touches no file for the key %s',
  async (bad) => {
    const state = open();
    await expect(state.patch(bad, target, { value: 1 })).rejects.toThrow(`unknown session key: ${bad}`);
    await state.open(bad);
    await state.removeSession('agent:main:../../etc');
    expect(await fs.stat(folder)).toBeUndefined();
  },
);

it('a text is delivered once, whichever window takes it', async () => {
  const [one, other] = [open(), open()];
  await one.enqueue(key, 'p', { text: 'once' });
  expect(await drainInjections(other, key, () => true)).toHaveLength(1);
  expect(await drainInjections(one, key, () => true)).toEqual([]);
});

it('a change leaves what another window has stored since', async () => {
  const [one, other] = [open(), open()];
  await one.patch(key, target, { value: 1 });
  await other.patch(key, { pluginId: 'q', namespace: 'm' }, { value: 2 });
  await one.patch(key, { pluginId: 'r', namespace: 'o' }, { value: 3 });
  expect(await other.list(id)).toEqual({ p: { n: 1 }, q: { m: 2 }, r: { o: 3 } });
});

it.each(['null', '"text"', '{"id":"1","pluginId":"p","text":1,"placement":"prepend_context","createdAt":1}'])(
  'leaves out a waiting text that is %s and delivers the others',
  async (odd) => {
    await open().enqueue(key, 'p', { text: 'good' });
    const stored = (await fs.readText(file)).replace('"injections":[', `"injections":[${odd},`);
    await fs.writeFile(file, stored.replace('"extensions":{', '"extensions":{"odd":null'));
    const state = open();
    expect(await state.list(key)).toEqual({});
    expect(await drainInjections(state, key, () => true)).toMatchObject([{ text: 'good' }]);
  },
);

it('tells of every change, and of none that was refused', async () => {
  const told: unknown[] = [];
  const clock = { now: () => now, monotonic: () => now, after: () => () => undefined };
  const sessionOf = (): Promise<string> => Promise.resolve(id);
  const patched = (change: unknown): void => void told.push(change);
  const state = createPluginSessionState({ fs, log, clock, folder, sessionOf, patched });
  await state.patch(key, target, { value: 1 });
  await expect(state.patch(key, target, {})).rejects.toThrow('value is required');
  expect(told).toEqual([{ sessionKey: key, sessionId: id, ...target }]);
});
