import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  realpath,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PincerError } from '../../base/errors.ts';
import type { AgentMessage, TextPart } from '../../contracts/message.ts';
import type { TurnState } from '../../contracts/sessionEntry.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { FoundFile } from './findMemoryFiles.ts';
import { readMemoryFile, type ReadResult, renderTranscript } from './readMemoryFile.ts';

describe('readMemoryFile', () => {
  const fs = createNodeFileSystem();

  let place: string;

  let path: string;

  let found: FoundFile;

  beforeEach(async () => {
    place = await realpath(await mkdtemp(join(tmpdir(), 'memory-read-')));
    onTestFinished(() => rm(place, { recursive: true, force: true }));
    path = join(place, 'docs', 'a.md');
    await mkdir(dirname(path));
    found = { path, realPath: path, label: 'docs/a.md', source: 'memory', bytes: 0, modified: 0 };
  });

  async function read(content: string | Uint8Array, use: FileSystem = fs): Promise<ReadResult> {
    await writeFile(path, content);
    return await readMemoryFile(use, found);
  }

  async function textOf(bytes: readonly number[]): Promise<string | undefined> {
    const result = await read(Uint8Array.from(bytes));
    return result.kind === 'text' ? result.text : undefined;
  }

  it('gives the text, the hash of the bytes, and the size and time that were read', async () => {
    const result = await read('# Tëxt\n');
    expect(result).toMatchObject({
      kind: 'text',
      text: '# Tëxt\n',
      hash: createHash('sha256').update('# Tëxt\n').digest('hex'),
      file: { path, label: 'docs/a.md', bytes: 8 },
    });
    expect(result.kind === 'text' && result.file.modified).toBe(
      Math.floor((await fs.lstat(path))?.mtimeMs ?? 0),
    );
  });

  it('drops the mark at the beginning, and reads UTF-16', async () => {
    expect(await textOf([0xef, 0xbb, 0xbf, 0x61])).toBe('a');
    expect(await textOf([0xff, 0xfe, 0x61, 0, 0x0a, 0])).toBe('a\n');
    expect(await textOf([0xfe, 0xff, 0, 0x61, 0, 0x0a])).toBe('a\n');
  });

  it('puts U+FFFD in the place of what is no UTF-8 and keeps every line', async () => {
    expect(await textOf([0x61, 0xe2, 0x0a, 0xff, 0x0a, 0xc3])).toBe('a\uFFFD\n\uFFFD\n\uFFFD');
  });

  it('leaves out what is no text', async () => {
    for (const bytes of [
      [0x61, 0, 0x62],
      [0xff, 0xfe, 0, 0, 0x61, 0],
    ]) {
      expect(await read(Uint8Array.from(bytes))).toMatchObject({
        kind: 'left-out',
        reason: 'it is not text',
      });
    }
  });

  it('never opens what is too large', async () => {
    const file = await open(path, 'w');
    await file.truncate(200_000_000);
    await file.close();
    const unread: FileSystem = { ...fs, readFile: () => Promise.reject(new Error('it was opened')) };
    expect(await readMemoryFile(unread, found)).toMatchObject({
      kind: 'left-out',
      reason: 'it is larger than 10 MB',
      file: { bytes: 200_000_000 },
    });
    expect(await readMemoryFile(fs, found, { maxBytes: 2_500_000 })).toMatchObject({
      reason: 'it is larger than 2.5 MB',
    });
  });

  it('takes a file of exactly the limit', async () => {
    await writeFile(path, 'x'.repeat(100));
    expect(await readMemoryFile(fs, found, { maxBytes: 100 })).toMatchObject({ kind: 'text' });
    expect(await readMemoryFile(fs, found, { maxBytes: 99 })).toMatchObject({ kind: 'left-out' });
  });

  it('tells when the file is gone', async () => {
    expect(await readMemoryFile(fs, found)).toEqual({ kind: 'gone' });
    const vanishing: FileSystem = { ...fs, readFile: async (at) => (await rm(at), await fs.readFile(at)) };
    expect(await read('x', vanishing)).toEqual({ kind: 'gone' });
  });

  it('never blocks on a FIFO, and reads no folder', async () => {
    execFileSync('mkfifo', [path]);
    const left = { kind: 'left-out', reason: 'it is not a regular file' };
    expect(await readMemoryFile(fs, found)).toMatchObject(left);
    const late: FileSystem = {
      ...fs,
      lstat: async (at) => ({ ...(await fs.lstat(at))!, kind: 'file' }),
    };
    expect(await readMemoryFile(late, found)).toMatchObject(left);
    expect(await readMemoryFile(fs, { ...found, path: place, realPath: place })).toMatchObject(left);
  });

  it('reads a file that changes meanwhile once more', async () => {
    let reads = 0;
    const growing: FileSystem = {
      ...fs,
      readFile: async (at) => {
        const bytes = await fs.readFile(at);
        reads += 1;
        if (reads === 1) await appendFile(at, ' and more');
        return bytes;
      },
    };
    expect(await read('one', growing)).toMatchObject({ kind: 'text', text: 'one and more' });
    expect(reads).toBe(2);
  });

  it('notices a change that keeps the size', async () => {
    let reads = 0;
    const changing: FileSystem = {
      ...fs,
      readFile: async (at) => {
        const bytes = await fs.readFile(at);
        reads += 1;
        if (reads === 1) {
          await writeFile(at, 'two');
          await utimes(at, 1, 2);
        }
        return bytes;
      },
    };
    expect(await read('one', changing)).toMatchObject({ text: 'two', file: { modified: 2_000 } });
  });

  it('leaves a file that keeps changing for the next scan', async () => {
    let reads = 0;
    const growing: FileSystem = {
      ...fs,
      readFile: async (at) => {
        const bytes = await fs.readFile(at);
        await appendFile(at, String((reads += 1)));
        return bytes;
      },
    };
    expect(await read('one', growing)).toMatchObject({
      kind: 'left-out',
      reason: 'it kept changing while it was read',
    });
    expect(reads).toBe(2);
  });

  it('gives nothing of a file that a link stands for by now', async () => {
    await mkdir(join(place, 'outside'));
    await writeFile(join(place, 'outside', 'a.md'), 'secret');
    await rename(join(place, 'docs'), join(place, 'was-docs'));
    await symlink(join(place, 'outside'), join(place, 'docs'));
    expect(await readMemoryFile(fs, found)).toEqual({ kind: 'gone' });
    await rm(join(place, 'docs'));
    await mkdir(join(place, 'docs'));
    await symlink(join(place, 'outside', 'a.md'), path);
    expect(await readMemoryFile(fs, found)).toMatchObject({
      kind: 'left-out',
      reason: 'it is not a regular file',
    });
  });

  it('gives of a transcript what was said', async () => {
    const message = { role: 'user', content: [{ type: 'text', text: 'Hello' }], timestamp: 1 };
    await writeFile(path, JSON.stringify({ type: 'message', id: 'a', parentId: null, message }));
    expect(await readMemoryFile(fs, { ...found, source: 'sessions' })).toMatchObject({
      text: 'User: Hello\n',
    });
  });

  it('says why it may not read', async () => {
    const forbidden: FileSystem = {
      ...fs,
      readFile: (at) => Promise.reject(new PincerError('io_forbidden', `Could not read ${at}: EACCES`)),
    };
    const result = await read('x', forbidden);
    expect(result.kind === 'left-out' && result.reason).toBe(
      `it can't be read (Could not read ${path}: EACCES)`,
    );
  });
});

const header = JSON.stringify({ type: 'session', version: 1, id: 'x', createdAt: 1, folders: ['/w'] });

function user(text: string, more: readonly TextPart[] = []): AgentMessage {
  return { role: 'user', content: [{ type: 'text', text }, ...more], timestamp: 1 };
}

function assistant(text: string): AgentMessage {
  const content = [{ type: 'text', text } as const];
  return { role: 'assistant', content, provider: 'p', model: 'm', stopReason: 'stop', timestamp: 2 };
}

function line(what: AgentMessage | TurnState): string {
  const base = { id: 'i', parentId: null };
  return JSON.stringify(
    typeof what === 'string'
      ? { type: 'turn', ...base, runId: 'r', state: what }
      : { type: 'message', ...base, message: what },
  );
}

function transcript(...all: readonly (AgentMessage | TurnState)[]): string {
  return [header, ...all.map(line)].join('\n');
}

describe('renderTranscript', () => {
  it.each([
    ['a tenant', { tenantId: 'a' }],
    ['whom nobody can tell', 'a'],
  ])('gives nothing of a session that belongs to %s: all agents search the same index', (_, tenant) => {
    const owned = JSON.stringify({ ...(JSON.parse(header) as object), tenant });
    expect(renderTranscript([owned, line(user('One'))].join('\n'))).toEqual({ text: '' });
    const nobody = JSON.stringify({ ...(JSON.parse(header) as object), tenant: { userId: 'u' } });
    expect(renderTranscript([nobody, line(user('One'))].join('\n')).text).toBe('User: One\n');
  });

  it('gives what was said', () => {
    const jsonl = transcript(
      'started',
      user('Where is the key?\nI lost it.'),
      assistant('In the drawer.'),
      'completed',
    );
    expect(renderTranscript(jsonl)).toEqual({
      text: 'User: Where is the key?\nI lost it.\n\nAssistant: In the drawer.\n',
    });
  });

  it('skips the blank lines that the session store leaves between entries', () => {
    const jsonl = `${header}\n${line(user('Hello'))}\n\n${line(assistant('Good day'))}\n`;
    expect(renderTranscript(jsonl)).toMatchObject({
      text: 'User: Hello\n\nAssistant: Good day\n',
    });
  });

  it('leaves out what tools returned and what was attached', () => {
    const attached = { type: 'text', text: 'attached', isContext: true } as const;
    const result: AgentMessage = {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'read',
      content: [{ type: 'text', text: 'file text' }],
      isError: false,
      timestamp: 3,
    };
    const call = { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'secret.md' } } as const;
    const calling = {
      ...assistant('Let me look'),
      content: [{ type: 'text', text: 'Let me look' } as const, call],
    };
    const jsonl = transcript(
      'started',
      user('Read it', [attached]),
      calling as AgentMessage,
      result,
      assistant('Done'),
    );
    expect(renderTranscript(jsonl).text).toBe('User: Read it\n\nAssistant: Let me look\n\nAssistant: Done\n');
  });

  it('leaves out a turn that a plugin blocked, and keeps one that failed or still runs', () => {
    const blocked = [user('[blocked by the policy]'), 'completed'] as const;
    const jsonl = transcript('started', user('One'), 'failed', 'started', ...blocked, 'started', user('Two'));
    expect(renderTranscript(jsonl).text).toBe('User: One\n\nUser: Two\n');
  });

  it('goes on after lines that can not be read, such as one that a crash cut short', () => {
    const whole = transcript(user('One'), assistant('Two'));
    const torn = `${whole.slice(0, -20)}\n\n{"type":"message","message":{"content":[1]}}\n${line(assistant('Three'))}`;
    expect(renderTranscript(torn).text).toBe('User: One\n\nAssistant: Three\n');
    expect(renderTranscript('')).toEqual({ text: '' });
  });

  it('removes keys', () => {
    expect(renderTranscript(transcript(user(`my key is AKIAIOSFODNN7EXAMPLE`))).text).toBe(
      'User: my key is [key removed]\n',
    );
  });

  it('closes a code block that was left open, so that the next words are none', () => {
    const jsonl = transcript(assistant('```ts\nconst a'), assistant('~~~\nb\n~~~'), user('c'));
    expect(renderTranscript(jsonl).text).toBe(
      'Assistant: ```ts\nconst a\n```\n\nAssistant: ~~~\nb\n~~~\n\nUser: c\n',
    );
  });

  it('renders any beginning of a transcript, and nothing that was not said', () => {
    const said = fc.array(fc.oneof(fc.string().map(user), fc.string().map(assistant)), { maxLength: 6 });
    fc.assert(
      fc.property(said, fc.nat(40), (messages, cut) => {
        const jsonl = transcript(...messages);
        const { text } = renderTranscript(jsonl.slice(0, Math.max(0, jsonl.length - cut)));
        expect(renderTranscript(jsonl).text.startsWith(text.trimEnd())).toBe(true);
      }),
    );
  });
});
