import { expect, it } from 'vitest';
import type { Host } from '../../../src/host/ports.ts';
import { addModel } from '../agents/agentWorld.ts';
import { openChannelWorld } from './channelWorld.ts';
import { until } from '../../builders/until.ts';

const typingMs = 5_000;

/** The real host, but for timers as long as typing lasts: the test lets them come due. */
function withTicks(ticks: Set<() => void>): (host: Host) => Host {
  return (host) => ({
    ...host,
    clock: {
      ...host.clock,
      after(ms, call) {
        if (ms !== typingMs) return host.clock.after(ms, call);
        ticks.add(call);
        return () => ticks.delete(call);
      },
    },
  });
}

const slow = { ear: `module.exports = (api) => api.on('message_sending', () => globalThis.gate);` };

it("a channel's adapter shows typing again and again while a turn runs, and not after it", async () => {
  const ticks = new Set<() => void>();
  let open = (): void => undefined;
  Object.assign(globalThis, { gate: new Promise<void>((resolve) => (open = resolve)) });
  await using world = await openChannelWorld({ global: slow, adjustHost: withTicks(ticks) });
  await world.pair('42');
  world.post.typesByAdapter = true;
  addModel(world, 'post', [{ text: 'Hi.' }]);
  const answered = world.post.receive({ id: '1', text: 'Hello.' });
  await until(() => expect(ticks.size).toBe(1));
  const [tick] = ticks;
  ticks.clear();
  tick?.();
  await until(() => expect(ticks.size).toBe(1));
  expect(world.post.typed).toEqual(['post:42', 'post:42']);
  expect(world.post.delivered).toEqual([]);
  open();
  await answered;
  expect(ticks.size).toBe(0);
  expect(world.post.typed).toHaveLength(2);
  expect(world.post.delivered.map(({ text }) => text)).toEqual(['Hi.']);
});

it('typing that fails is shown no more, and keeps no answer back', async () => {
  const ticks = new Set<() => void>();
  await using world = await openChannelWorld({ adjustHost: withTicks(ticks) });
  await world.pair('42');
  Object.assign(world.post, { typesByAdapter: true, typingFails: true });
  addModel(world, 'post', [{ text: 'Hi.' }]);
  await world.post.receive({ id: '1', text: 'Hello.' });
  expect(world.post.delivered.map(({ text }) => text)).toEqual(['Hi.']);
  expect(world.post.typed).toEqual(['post:42']);
  expect(ticks.size).toBe(0);
});

it('typing that never comes back keeps no answer back', async () => {
  await using world = await openChannelWorld();
  await world.pair('42');
  Object.assign(world.post, { typesByAdapter: true, typingHangs: new Promise<void>(() => undefined) });
  addModel(world, 'post', [{ text: 'Hi.' }]);
  await world.post.receive({ id: '1', text: 'Hello.' });
  expect(world.post.delivered.map(({ text }) => text)).toEqual(['Hi.']);
});

it('where the handler of a message shows typing itself, the adapter does not', async () => {
  await using world = await openChannelWorld();
  await world.pair('42');
  addModel(world, 'post', [{ text: 'Hi.' }]);
  await world.post.receive({ id: '1', text: 'Hello.' });
  await until(() => expect(world.post.typing).toBe(1));
  expect(world.post.typed).toBeUndefined();
});
