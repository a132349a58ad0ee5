import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentMessage } from '../../src/contracts/message.ts';
import type { SessionEntry, SessionHeader } from '../../src/contracts/sessionEntry.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import { redactKeys } from '../../src/base/secrets/redactKeys.ts';
import { createSessionStore, type SessionStore } from '../../src/sessions/sessionStore.ts';
import { capResult } from '../../src/tools/pipeline/toolResult.ts';
import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';

const rounds = 7;
const longMessages = 10_000;
const manySessions = 2_000;
const messagesOfOne = 40;
const turns = 500;
const toolChars = 2_000;

/** What keeping conversations costs: opening a long one, listing and searching many, and each message of a long day. */
export const bench: Bench = {
  name: 'sessions',
  needsEditor: false,
  async run() {
    const root = await mkdtemp(join(tmpdir(), 'pincer-bench-sessions-'));
    try {
      return [
        await openFigure(join(root, 'long')),
        ...(await listFigures(join(root, 'many'))),
        ...(await appendFigures(join(root, 'append'))),
        redactFigure(),
      ];
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
};

/** As the runtime makes it: without secrets, capped. */
function openStore(folder: string): SessionStore {
  return createSessionStore({
    ...{ fs: createNodeFileSystem(), clock: systemClock, log: createInMemoryLog(), folder, channel: 'cli' },
    ...{ redact: redactKeys, capResult },
  });
}

async function openFigure(folder: string): Promise<Figure> {
  const id = await writeSession(folder, 1, longMessages);
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    const session = await openStore(folder).open(id);
    if (session?.messages().length !== longMessages) throw new Error('The session is not whole.');
    samples.push(performance.now() - start);
  }
  return medianFigure(`opening ${longMessages} messages`, 'ms', samples, { below: 200 });
}

async function listFigures(folder: string): Promise<readonly Figure[]> {
  for (let number = 0; number < manySessions; number += 1) await writeSession(folder, number, messagesOfOne);
  const time = async (work: (store: SessionStore) => Promise<unknown>): Promise<number> => {
    const store = openStore(folder);
    const start = performance.now();
    await work(store);
    return performance.now() - start;
  };
  const { signal } = new AbortController();
  const first = await time((store) => store.summaries());
  const again: number[] = [];
  const found: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    again.push(await time((store) => store.summaries()));
    found.push(await time((store) => store.search('rarely spoken', signal)));
  }
  const what = `${manySessions} sessions of ${messagesOfOne} messages`;
  return [
    { name: `listing ${what}, the first time`, value: first, unit: 'ms' },
    medianFigure(`listing ${what}`, 'ms', again, { below: 500 }),
    medianFigure(`searching ${what}`, 'ms', found),
  ];
}

/** A turn of four messages, each of them waited for, as a run does. */
async function appendFigures(folder: string): Promise<readonly Figure[]> {
  const store = openStore(folder);
  const session = store.create(['/w']);
  const samples: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    for (const message of messagesOf(turn)) {
      const start = performance.now();
      await session.append(message);
      samples.push(performance.now() - start);
    }
  }
  const sorted = samples.toSorted((a, b) => a - b);
  const part = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return [
    { name: `a message, safely on disk, p50 of ${turns} turns`, value: part(0.5), unit: 'ms' },
    { name: `a message, safely on disk, p99 of ${turns} turns`, value: part(0.99), unit: 'ms', below: 50 },
  ];
}

function redactFigure(): Figure {
  const text = 'const total = compute(12, "token_count"); // see https://example.com/a?b=c\n'.repeat(1_333);
  const samples = Array.from({ length: rounds }, () => {
    const start = performance.now();
    redactKeys(text);
    return performance.now() - start;
  });
  return medianFigure('taking keys out of 100 kB', 'ms', samples, { below: 20 });
}

function messagesOf(turn: number): readonly AgentMessage[] {
  const timestamp = 1_760_000_000_000 + turn;
  const answer = { role: 'assistant', provider: 'p', model: 'm', timestamp } as const;
  const id = `c${String(turn)}`;
  return [
    {
      role: 'user',
      content: [{ type: 'text', text: `Look at part ${String(turn)} of the plan.` }],
      timestamp,
    },
    {
      ...{ ...answer, stopReason: 'toolUse' },
      content: [{ type: 'toolCall', id, name: 'read', arguments: { path: `src/part${String(turn)}.ts` } }],
    },
    {
      ...{ role: 'toolResult', toolCallId: id, toolName: 'read', isError: false, timestamp },
      content: [{ type: 'text', text: 'const value = 1;\n'.repeat(toolChars / 17) }],
    },
    {
      ...{ ...answer, stopReason: 'stop', usage: { input: 1_000, output: 20 } },
      content: [{ type: 'text', text: 'It sets a value, which **nothing** reads.' }],
    },
  ];
}

/** Gives the id of the session. */
async function writeSession(folder: string, number: number, messages: number): Promise<string> {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const header: SessionHeader = {
    ...{ type: 'session', version: 2, id, key: `agent:main:cli:${id}`, kind: 'chat', agentId: 'main' },
    ...{ createdAt: 1, folders: ['/w'] },
  };
  const lines: string[] = [JSON.stringify(header)];
  let parentId: string | null = null;
  for (let turn = 0; lines.length <= messages; turn += 1) {
    for (const message of messagesOf(turn)) {
      const entry: SessionEntry = { type: 'message', id: `${id}-${String(lines.length)}`, parentId, message };
      parentId = entry.id;
      lines.push(JSON.stringify(entry));
    }
  }
  const fs = createNodeFileSystem();
  await fs.makeDirectory(folder);
  await writeFile(join(folder, `${id}.jsonl`), `${lines.join('\n\n')}\n`);
  return id;
}
