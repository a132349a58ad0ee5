import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Model } from '../../../src/contracts/model.ts';
import { addModel } from '../agents/agentWorld.ts';
import { openChannelWorld } from './channelWorld.ts';
import { until } from '../../builders/until.ts';

/** A model that answers only once it is cancelled. */
function silentModel(): { readonly model: Model; readonly asked: () => number } {
  let asked = 0;
  const model: Model = {
    info: {
      provider: 'replay',
      model: 'post',
      name: 'Silent',
      contextWindow: 100_000,
      maxOutputTokens: 1_000,
      toolCalling: true,
    },
    async *stream({ signal }) {
      asked += 1;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      signal.throwIfAborted();
      yield { type: 'text', text: '' };
    },
  };
  return { model, asked: () => asked };
}

it('at a restart a message that waited is answered, and one that was being worked on is told and not begun again', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-channels-')));
  try {
    const first = await openChannelWorld({ root });
    await first.pair('42');
    const silent = silentModel();
    first.runtime.models.register(silent.model);
    const one = first.post.receive({ id: '1', text: 'One.' });
    await until(() => expect(silent.asked()).toBe(1));
    const two = first.post.receive({ id: '2', text: 'Two.' });
    await until(() => expect(first.post.acknowledged).toEqual(['hello-42', '1', '2']));
    await first[Symbol.asyncDispose]();
    await Promise.all([one, two]);
    expect(first.post.delivered).toEqual([]);

    await using second = await openChannelWorld({ root, hasModel: [{ text: 'Two it is.' }] });
    await until(() => expect(second.post.delivered).toHaveLength(2));
    expect(second.post.delivered).toMatchObject([
      { to: 'post:42', by: 'sendText', text: expect.stringContaining('was not answered') as string },
      { to: 'post:42', by: 'sendText', text: 'Two it is.' },
    ]);
    // Their channel brings both again, since it does not know better.
    await second.post.receive({ id: '1', text: 'One.' });
    await second.post.receive({ id: '2', text: 'Two.' });
    expect(second.post.delivered).toHaveLength(2);
  } finally {
    await rm(root, { recursive: true });
  }
});

it('a message whose turn fails is told so, and the conversation goes on', async () => {
  await using world = await openChannelWorld();
  await world.pair('42');
  addModel(world, 'post', [
    { error: { code: 'model_failed', message: 'secret details' } },
    { text: 'Here again.' },
  ]);
  await world.post.receive({ id: '1', text: 'One.' });
  await world.post.receive({ id: '2', text: 'Two.' });
  expect(world.post.delivered[0]?.text).toContain('went wrong');
  expect(world.post.delivered.map(({ text }) => text).join()).not.toContain('secret details');
});

it('where it can not be read what was answered before, no channel runs, and the log says so', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-channels-')));
  try {
    await mkdir(join(root, 'state', 'channels', 'messages.jsonl'), { recursive: true });
    await using world = await openChannelWorld({ root });
    expect(world.post.started).toEqual([]);
    // A later look finds it no better.
    await world.runtime.workspace.reload();
    expect(world.post.started).toEqual([]);
    expect(JSON.stringify(world.log.lines)).toContain('The channels could not be updated');
  } finally {
    await rm(root, { recursive: true });
  }
});
