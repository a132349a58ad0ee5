import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChannelEntry } from '../../../src/channels/channelPlugin.ts';
import { createChannels, type ChannelCore } from '../../../src/channels/createChannels.ts';
import type { InboundMessage } from '../../../src/channels/createMessageJournal.ts';
import { createHookRegistry, createHookRunner } from '../../../src/hooks/hookRunner.ts';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createProcessOwner } from '../../../src/host/processOwner.ts';
import { nodeProcessTimes } from '../../../src/host/node/nodeProcessTimes.ts';
import type { Clock, FileSystem } from '../../../src/host/ports.ts';

/** What a far server knows, in files that outlive the process. */
export const sentFile = (folder: string): string => join(folder, 'sent.txt');
export const takenFile = (folder: string): string => join(folder, 'taken.txt');

export interface KilledChannels {
  readonly core: ChannelCore;
  /** Hands one message over; its server notes that it was taken, and what comes back. */
  readonly receive: (id: string) => Promise<void>;
}

/** Channels over a folder that processes share which are killed. `reach` is called at each moment outside the disk. */
export async function openKilledChannels(
  folder: string,
  clock: Clock,
  fs: FileSystem,
  reach: () => void,
): Promise<KilledChannels> {
  const send = (text: string): void => {
    reach();
    appendFileSync(sentFile(folder), `${text}\n`);
    reach();
  };
  const entry: ChannelEntry = {
    pluginId: 'post',
    mayRun: true,
    cfg: () => ({ channels: { post: { dmPolicy: 'open' } } }),
    call: (_what, work) => work(),
    runtime: () => undefined,
    redact: (text) => text,
    plugin: {
      id: 'post',
      gateway: {
        startAccount: ({ abortSignal }) =>
          new Promise<void>((resolve) =>
            abortSignal.addEventListener('abort', () => resolve(), { once: true }),
          ),
      },
      outbound: {
        sendText: ({ text, replyToId }) =>
          send(text.startsWith('answer') ? text : `notice ${String(replyToId)}`),
      },
    },
  };
  const hooks = createHookRunner({ registry: createHookRegistry(), clock, report: () => undefined });
  const core = createChannels({
    fs,
    clock,
    log: createInMemoryLog(),
    owner: createProcessOwner(nodeProcessTimes(), process.pid),
    folder,
    entries: () => [entry],
    config: () => ({ entries: { post: { enabled: true, maxTurnsPerDay: 100_000 } }, offByWorkspace: [] }),
    readConfig: () => Promise.resolve(),
    lacks: () => undefined,
    blocked: () => undefined,
    hooks,
    report: () => undefined,
    ready: () => Promise.resolve(),
    turns: {
      route: ({ peerId }) => ({
        agentId: 'main',
        matchedBy: 'default',
        reason: '',
        sessionKey: `agent:main:post:direct:${peerId}`,
      }),
      namesOf: () => [],
      run({ message }) {
        reach();
        const answer = { text: `answer ${message.messageId}`, isDispatched: false };
        return Promise.resolve({ kind: 'answer', answer, runId: 'r' });
      },
      keep: () => Promise.resolve(),
      keepAnswer: () => Promise.resolve(),
      readImages: () => Promise.resolve([]),
      approve: () => '',
      answeredInWords: () => undefined,
      sessionOfKey: () => Promise.resolve(undefined),
    },
  });
  await core.channels.start();
  return {
    core,
    async receive(id) {
      const account = core.accounts.find('post', 'default');
      if (account === undefined) throw new Error('the account does not run');
      await core.inbound.receive(account, messageOf(id), {
        deliver(text) {
          send(text.startsWith('answer') ? text : `notice ${id}`);
          return Promise.resolve();
        },
        typing: undefined,
        adopted() {
          reach();
          appendFileSync(takenFile(folder), `${id}\n`);
          return Promise.resolve();
        },
      });
    },
  };
}

function messageOf(id: string): InboundMessage {
  const peerId = `peer-${String(Number(id) % 3)}`;
  return {
    ...{ channel: 'post', accountId: 'default', kind: 'direct', peerId, to: peerId, messageId: id },
    ...{ senderId: peerId, title: peerId, text: 'hi', media: [] },
  };
}
