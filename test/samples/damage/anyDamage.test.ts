// Whatever happens to a file that Pincer keeps, by a full disk, a power cut or a hand: no restriction is lost, nothing that could be
// read is lost with it, and people are told.
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PincerError } from '../../../src/base/errors.ts';
import { isThorough } from '../../builders/isThorough.ts';
import { openTestRuntime, type TestRuntime } from '../../builders/openTestRuntime.ts';

const warden = `module.exports = (api) => {
  api.on('before_tool_call', ({ params }) =>
    JSON.stringify(params).includes('guarded') ? { block: true, blockReason: 'It is guarded.' } : undefined);
};`;
const conversation = ['Is the tide high?', 'It is.'];

type Damage = (bytes: Buffer) => Buffer | 'folder';

/** `isThorough`: left out of the short run. `except`: what is in order that way. */
const damages: Readonly<
  Record<string, { readonly make: Damage; readonly isThorough?: true; readonly except?: string }>
> = {
  'is empty': { make: () => Buffer.alloc(0) },
  'is cut off in the middle': { make: (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.6)) },
  'holds zeros, as after a power cut': { make: (bytes) => Buffer.alloc(bytes.length), isThorough: true },
  'holds zeros from its middle on': {
    make: (bytes) => Buffer.concat([bytes.subarray(0, bytes.length / 2), Buffer.alloc(bytes.length / 2)]),
    isThorough: true,
  },
  'is another JSON value': { make: () => Buffer.from('[]\n'), isThorough: true },
  'is null': { make: () => Buffer.from('null\n'), isThorough: true },
  'is of a version that is not known': {
    make: () => Buffer.from('{"version":99}\n'),
    isThorough: true,
    except: 'config.jsonc',
  },
  'is a folder': { make: () => 'folder', isThorough: true },
  'has lost a byte in front': { make: (bytes) => bytes.subarray(1), isThorough: true },
  'has lost a byte at the end': { make: (bytes) => bytes.subarray(0, -2), isThorough: true },
};

let root: string;
let backup: string;
let sessionId: string;
let files: readonly string[];

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-damage-')));
  backup = `${root}-backup`;
  const test = await openTestRuntime({
    root,
    isRecorded: false,
    files: { 'notes.md': '# Tide\n\nThe tide is high.\n', 'guarded.md': 'hunter2\n' },
    plugins: { warden },
    config: { tools: { deny: ['exec'] } },
    answer: 'allow-always',
  });
  await test.say('Is the tide high?', [
    { toolCalls: [{ name: 'write', arguments: { path: 'made.md', content: 'one\n' } }] },
    { toolCalls: [{ name: 'memory_search', arguments: { query: 'tide' } }] },
    { text: 'It is.' },
  ]);
  sessionId = test.session.id;
  await test.runtime.conversations.inbox.add(sessionId, 'followUp', 'And later?');
  await test[Symbol.asyncDispose]();
  // As a window that was killed leaves it.
  const question = { version: 2, pending: [] };
  await mkdir(join(root, 'state/approvals'), { recursive: true });
  await writeFile(join(root, 'state/approvals/1-x.json'), JSON.stringify(question));
  await cp(root, backup, { recursive: true });
  files = await keptFiles();
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
  await rm(backup, { recursive: true, force: true });
});

/** Of the user's home and of the state folder, by their path in `root`; those of plugins are the plugins' own. */
async function keptFiles(): Promise<readonly string[]> {
  const all = await readdir(backup, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => relative(backup, join(entry.parentPath, entry.name)))
    .filter((path) => /^(?:home|state)\//u.test(path) && !path.includes('plugin-state'));
}

async function restore(): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await cp(backup, root, { recursive: true });
}

async function damage(path: string, make: Damage): Promise<void> {
  const file = join(root, path);
  const made = make(await readFile(file));
  await rm(file);
  await (made === 'folder' ? mkdir(file) : writeFile(file, made));
}

/** A turn that tries what is forbidden, in which a person says yes to everything. */
async function tryAll(test: TestRuntime): Promise<{ readonly refusal?: PincerError }> {
  try {
    const session = (await test.runtime.conversations.sessions.open(sessionId)) ?? test.session;
    await test.say(
      'Try it.',
      [
        { toolCalls: [{ name: 'read', arguments: { path: 'guarded.md' } }] },
        { toolCalls: [{ name: 'exec', arguments: { command: 'echo x >ran.txt' } }] },
        { toolCalls: [{ name: 'write', arguments: { path: 'made.md', content: 'two\n' } }] },
        { text: 'Done.' },
        { text: 'Done.' },
      ],
      { session },
    );
    return {};
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
    return { refusal: error };
  }
}

/** What is made anew from other files, or is only a help: nobody misses it. */
const isDerived = (path: string): boolean =>
  /(?:index\.json|index\.sqlite|guards\.json|\.lock|traces\/.*|plugin-snapshots\/.*|checkpoints\/.*)$/u.test(
    path,
  );

/** Opens a window on what is there, and gives which rules did not hold. */
async function brokenRules(path: string): Promise<readonly string[]> {
  await using test = await openTestRuntime({ root, consent: false, answer: 'allow-once', isRecorded: false });
  const { refusal } = await tryAll(test);
  await test.runtime.approvals.interrupted();
  const said = await readTranscripts();
  const told = JSON.stringify([test.runtime.workspace.diagnostics(), refusal?.message]);
  const logged = JSON.stringify(test.log.lines);
  const rules: Readonly<Record<string, boolean>> = {
    'the guard holds': !said.includes('hunter2'),
    'the config holds': !(await readdir(join(root, 'workspace'))).includes('ran.txt'),
    'the conversation is there': path.endsWith('.jsonl') || conversation.every((text) => said.includes(text)),
    'people are told': isDerived(path) || told.includes(basename(path)),
    'it asks again': !path.endsWith('grants.json') || test.runtime.approvals.history().length > 0,
    'no error of our own': !/TypeError|RangeError|ReferenceError/u.test(`${told}${logged}`),
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
}

async function readTranscripts(): Promise<string> {
  const folder = join(root, 'state/sessions');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
  const texts = names.map((name) => readFile(join(folder, name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).join('\n');
}

describe('a file that Pincer keeps', () => {
  it('that is in order: the turn runs, and what is forbidden is refused', async () => {
    await restore();
    await using test = await openTestRuntime({
      root,
      consent: false,
      answer: 'allow-once',
      isRecorded: false,
    });
    expect(await tryAll(test)).toEqual({});
    const said = await readTranscripts();
    expect(said).toContain('It is guarded.');
    expect(said).toContain('Done.');
    expect(test.runtime.workspace.diagnostics().filter(({ code }) => code.endsWith('unreadable'))).toEqual(
      [],
    );
    expect(await readFile(join(root, 'workspace/made.md'), 'utf8')).toBe('two\n');
  });

  const chosen = Object.entries(damages).filter(([, each]) => isThorough || each.isThorough !== true);

  it.each(chosen)(
    'and that %s: nothing forbidden is done, and people are told',
    async (_how, { make, except }) => {
      expect(files.length).toBeGreaterThan(8);
      const broken: string[] = [];
      for (const path of files.filter((each) => basename(each) !== except)) {
        await restore();
        await damage(path, make);
        for (const rule of await brokenRules(path)) broken.push(`${path}: ${rule}`);
      }
      expect(broken).toEqual([]);
    },
  );
});
