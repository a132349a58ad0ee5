import { expect, it } from 'vitest';
import type { ServerView } from '../../mcp/mcpServers.ts';
import { createChangeNotifier } from './createChangeNotifier.ts';

function openTeller() {
  const told: string[] = [];
  const running: Promise<void>[] = [];
  let now: readonly Pick<ServerView, 'name' | 'change'>[] = [];
  let close: () => void = () => undefined;
  const look = createChangeNotifier(
    () => now,
    (name, tools) => {
      told.push(`${name} ${tools.join()}`);
      return new Promise((resolve) => (close = resolve));
    },
    (work) => void running.push(work),
  );
  return {
    told,
    change(id: string, ...tools: readonly string[]) {
      now = [{ name: 'files', change: { id, tools } }];
      look();
    },
    async close() {
      close();
      await running.at(-1);
    },
  };
}

it('tells of each change once, also where the server goes to and fro', async () => {
  const teller = openTeller();
  for (const id of ['a', 'a', 'b', 'a', 'b']) {
    teller.change(id, id);
    await teller.close();
  }
  expect(teller.told).toEqual(['files a', 'files b']);
});

it('has one warning of a server open at a time, and then tells of what is so by then', async () => {
  const teller = openTeller();
  for (const id of ['a', 'b', 'c', 'd']) teller.change(id, id);
  expect(teller.told).toEqual(['files a']);
  await teller.close();
  expect(teller.told).toEqual(['files a', 'files d']);
});
