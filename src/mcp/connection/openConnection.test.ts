import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../../../test/builders/manualClock.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './openConnection.ts';

interface Server {
  readonly connection: Connection;
  readonly clock: ManualClock;
  /** Requests for pages of the list, as they came. */
  readonly pages: readonly (() => void)[];
}

/** A server of the older wire that answers a request for a page of its tools once the test says so, and has always a next one. */
async function openServer(): Promise<Server> {
  const clock = createManualClock();
  const pages: (() => void)[] = [];
  const answer = (id: number | string, result: Readonly<Record<string, unknown>>): void =>
    transport.onmessage?.({ jsonrpc: '2.0', id, result });
  const hear = async (message: JSONRPCMessage): Promise<void> => {
    await Promise.resolve();
    if (!('method' in message && 'id' in message)) return;
    const { id, method } = message;
    if (method === 'initialize')
      answer(id, {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'slow', version: '1' },
      });
    else {
      const cursor = `after ${String(pages.length)}`;
      pages.push(() => answer(id, { tools: [{ name: cursor, inputSchema: {} }], nextCursor: cursor }));
    }
  };
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: hear,
    async close() {
      await Promise.resolve();
      transport.onclose?.();
    },
  };
  const connection = await openConnection(transport, {
    version: '1',
    clock,
    connectMs: 1_000_000,
    wire: 'legacy',
    signal: new AbortController().signal,
    answer: () => Promise.resolve({ action: 'decline' }),
    toolsChanged: () => undefined,
    closed: () => undefined,
    log: () => undefined,
  });
  return { connection, clock, pages };
}

/** What becomes of a list, once everything that waits for nothing else has come. */
function watch(listed: Promise<unknown>): () => Promise<unknown> {
  let outcome: unknown;
  listed.then(
    () => (outcome = 'listed'),
    (error: unknown) => (outcome = error),
  );
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return outcome;
  };
}

const tooLate = {
  code: 'mcp_list_too_long',
  message: "The server's list of tools was not taken: its pages took more than 60 s.",
};

it('gives up on a list whose pages take more than a minute together, however fast each of them comes', async () => {
  const { connection, clock, pages } = await openServer();
  const outcome = watch(connection.listTools(new AbortController().signal));
  for (let page = 0; page < 6; page += 1) {
    await expect.poll(() => pages).toHaveLength(page + 1);
    clock.advance(9_900);
    pages[page]?.();
  }
  await expect.poll(() => pages).toHaveLength(7);
  clock.advance(599);
  expect(await outcome()).toBeUndefined();
  clock.advance(1);
  expect(await outcome()).toMatchObject(tooLate);
});

it('says of a list that is taken back that it was, also when its minute is over by then', async () => {
  const { connection, clock, pages } = await openServer();
  const controller = new AbortController();
  const outcome = watch(connection.listTools(controller.signal));
  await expect.poll(() => pages).toHaveLength(1);
  controller.abort(new Error('Not wanted any more.'));
  clock.advance(60_000);
  expect(await outcome()).toMatchObject({ message: 'Error: Not wanted any more.' });
});

it('begins a new minute with each list', async () => {
  const { connection, clock, pages } = await openServer();
  const first = watch(connection.listTools(new AbortController().signal));
  await expect.poll(() => pages).toHaveLength(1);
  clock.advance(60_000);
  expect(await first()).toMatchObject(tooLate);
  const second = watch(connection.listTools(new AbortController().signal));
  await expect.poll(() => pages).toHaveLength(2);
  clock.advance(59_999);
  expect(await second()).toBeUndefined();
  clock.advance(1);
  expect(await second()).toMatchObject(tooLate);
});
