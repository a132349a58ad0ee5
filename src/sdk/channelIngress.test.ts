import { expect, it } from 'vitest';
import {
  createChannelIngressMonitor,
  createChannelIngressResolver,
  createReplyToFanout,
  deliverFormattedTextWithAttachments,
  runPassiveAccountLifecycle,
  type IngressLifecycle,
} from './channelIngress.ts';

const inspect = (raw: unknown) => ({ eventId: String(raw), laneKey: 'one' });

it('a message counts as taken once the host has it, and the next of its lane is handed on then', async () => {
  const handed: string[] = [];
  const taken: IngressLifecycle[] = [];
  const monitor = createChannelIngressMonitor({
    inspect,
    deliver: (raw, lifecycle) => {
      handed.push(String(raw));
      taken.push(lifecycle);
      return new Promise(() => undefined);
    },
  });
  const first = monitor.admit('1');
  const second = monitor.admit('2');
  expect(handed).toEqual([]);
  monitor.start();
  await expect.poll(() => handed).toEqual(['1']);
  taken[0]?.onAdopted();
  await first;
  await expect.poll(() => handed).toEqual(['1', '2']);
  taken[1]?.onAdopted();
  await second;
});

it('a message that the host could not take is not taken, so that its server brings it again', async () => {
  const told: unknown[] = [];
  const monitor = createChannelIngressMonitor({
    inspect,
    deliver: (raw) =>
      raw === '1' ? { kind: 'failed-retryable', error: new Error('disk full') } : { kind: 'completed' },
    onError: (error) => void told.push(error),
  });
  monitor.start();
  await expect(monitor.admit('1')).rejects.toThrow('disk full');
  expect(told).toHaveLength(1);
  await monitor.admit('2');
  await monitor.stop();
  await expect(monitor.admit('3')).rejects.toThrow('stopped');
});

it('what is no message is ignored, and a claim holds what its channel would have kept', async () => {
  const claims: unknown[] = [];
  const monitor = createChannelIngressMonitor({
    inspect: (raw) => (raw === 'a reaction' ? null : inspect(raw)),
    payload: {
      version: 2,
      serialize: (raw, { receivedAt }) => ({ raw, receivedAt }),
      encode: ({ version, body }) => ({ version, kept: body }),
    },
    deliver: (_raw, _lifecycle, claim) => void claims.push(claim),
  });
  monitor.start();
  expect(await monitor.admit('a reaction')).toEqual({ kind: 'ignored', duplicate: false });
  expect(await monitor.admit('1', { receivedAt: 7 })).toEqual({ kind: 'accepted', duplicate: false });
  const payload = { version: 2, kept: { raw: '1', receivedAt: 7 } };
  expect(claims).toEqual([{ id: '1', laneKey: 'one', payload }]);
});

it('who may write is left to the host, and no text is a command of somebody authorized', async () => {
  expect(await createChannelIngressResolver().message()).toMatchObject({
    ingress: { admission: 'dispatch' },
    commandAccess: { authorized: false },
  });
});

it('an account runs until it is told to stop, and is stopped then', async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const ended = runPassiveAccountLifecycle({
    abortSignal: stop.signal,
    start: () => 'monitor',
    stop: (started) => void seen.push(started),
  });
  await Promise.resolve();
  expect(seen).toEqual([]);
  stop.abort();
  await ended;
  expect(seen).toEqual(['monitor']);
});

it('an answer is sent with its attachments below, and only its first part names what it answers', async () => {
  const sent: unknown[] = [];
  const send = (message: unknown): Promise<void> => Promise.resolve(void sent.push(message));
  await deliverFormattedTextWithAttachments({
    payload: { text: 'Here.', mediaUrl: 'https://a.test/b' },
    send,
  });
  expect(await deliverFormattedTextWithAttachments({ payload: { text: ' ' }, send })).toBe(false);
  expect(sent).toEqual([{ text: 'Here.\n\nAttachment: https://a.test/b', replyToId: undefined }]);
  const next = createReplyToFanout({ replyToId: '7' });
  expect([next(), next()]).toEqual(['7', undefined]);
});
