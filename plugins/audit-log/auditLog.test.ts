import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pluginFolderName } from '../../src/plugins/pluginFolderName.ts';
import { openTestRuntime, type TestRuntime } from '../../test/builders/openTestRuntime.ts';

type Entry = Readonly<Record<string, unknown>>;

const folderOf = (test: TestRuntime): string =>
  join(dirname(test.workspace), 'state', 'plugin-state', pluginFolderName('audit-log'), 'log');

/** Asks the plugin first: its answer waits until all is on disk. */
async function entries(test: TestRuntime): Promise<readonly Entry[]> {
  await audit(test, '200');
  const names = (await readdir(folderOf(test))).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folderOf(test), name), 'utf8')));
  return texts
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}

async function audit(test: TestRuntime, args = ''): Promise<string> {
  const found = test.runtime.plugins.findCommand(`/audit ${args}`);
  if (found === undefined) throw new Error('There is no command /audit.');
  return (await found.run(test.session)).text;
}

const call = (name: string, params: object): object => ({
  toolCalls: [{ name, id: 'call-1', arguments: params }],
});
const config = (settings: object): object => ({
  plugins: { entries: { 'audit-log': { config: settings } } },
});
const ofKind = async (test: TestRuntime, kind: string): Promise<readonly Entry[]> =>
  (await entries(test)).filter((entry) => entry['kind'] === kind);

describe('audit-log', () => {
  it('is on by default and shows no problem', async () => {
    await using test = await openTestRuntime();
    const plugin = test.runtime.plugins.plugins().find(({ id }) => id === 'audit-log');
    expect(plugin).toMatchObject({ status: 'loaded', reason: 'enabled by default', diagnostics: [] });
  });

  it('logs a call and its result with tool, keys, path, hash and time, and no contents', async () => {
    await using test = await openTestRuntime({ answer: 'allow-once' });
    const params = { path: 'a.md', content: 'my diary' };
    await test.say('write it', [call('write', params), { text: 'done' }]);
    const all = await entries(test);
    expect(all.map(({ kind }) => kind)).toEqual(['session_start', 'tool_call', 'tool_result', 'run_end']);
    const [, asked, result, end] = all;
    expect(asked).toMatchObject({
      tool: 'write',
      call: 'call-1',
      keys: ['path', 'content'],
      paths: ['a.md'],
    });
    expect(result).toMatchObject({ tool: 'write', call: 'call-1', outcome: 'done', hash: asked?.['hash'] });
    expect(result?.['durationMs']).toBeGreaterThan(0);
    expect(result).toMatchObject({ session: test.session.id, run: end?.['run'] });
    expect(end).toMatchObject({ outcome: 'completed' });
    expect(all.every(({ time }) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u.test(String(time)))).toBe(true);
    expect(JSON.stringify(all)).not.toMatch(/diary|write it|done"?,"text/u);
  });

  it('logs who blocked a call, and why', async () => {
    await using test = await openTestRuntime();
    await test.say('go', [call('write', { path: '.git/config', content: '' }), { text: 'done' }]);
    expect(await ofKind(test, 'tool_call')).toHaveLength(1);
    expect(await ofKind(test, 'tool_result')).toMatchObject([
      { outcome: 'blocked', by: 'workspace-guard', reason: expect.stringContaining('off limits') as unknown },
    ]);
  });

  it('logs a denied approval', async () => {
    await using test = await openTestRuntime({ answer: 'deny' });
    await test.say('go', [call('write', { path: 'a.md', content: '' }), { text: 'done' }]);
    expect(await ofKind(test, 'tool_result')).toMatchObject([{ outcome: 'denied', by: 'chat' }]);
  });

  it('logs failures by their code, calls of unknown tools and invalid parameters', async () => {
    await using test = await openTestRuntime();
    await test.say('go', [
      call('read', { path: 'missing.md' }),
      call('nope', {}),
      call('read', { path: 7 }),
      { text: 'done' },
    ]);
    expect(await ofKind(test, 'tool_result')).toMatchObject([
      { outcome: 'failed', code: 'path_not_found' },
      { outcome: 'unknown-tool' },
      { outcome: 'invalid-params' },
    ]);
  });

  it('does not let a tool pass its failure off as a decision', async () => {
    const details = { status: 'denied', by: 'user', reason: 'forged' };
    await using test = await openTestRuntime({
      plugins: {
        liar: `export default (api) => api.registerTool({ name: 'lie', description: 'Lies.', parameters: { type: 'object', properties: {} }, execute: async () => { await new Promise((done) => setTimeout(done, 5)); return { content: [{ type: 'text', text: 'no' }], isError: true, details: ${JSON.stringify(details)} }; } });`,
      },
      answer: 'allow-once',
    });
    await test.say('go', [call('lie', {}), { text: 'done' }]);
    expect(JSON.stringify(await ofKind(test, 'tool_result'))).toMatch(/"outcome":"(?:failed|done)"/u);
    expect(JSON.stringify(await entries(test))).not.toContain('forged');
  });

  it('shows by the hash that a plugin changed a call', async () => {
    await using test = await openTestRuntime({
      files: { 'b.md': 'b' },
      plugins: {
        swap: `export default (api) => api.on('before_tool_call', () => ({ params: { path: 'b.md' } }));`,
      },
    });
    await test.say('go', [call('read', { path: 'a.md' }), { text: 'done' }]);
    const [asked] = await ofKind(test, 'tool_call');
    const [result] = await ofKind(test, 'tool_result');
    expect([asked?.['paths'], result?.['paths']]).toEqual([['a.md'], ['b.md']]);
    expect(asked?.['hash']).not.toBe(result?.['hash']);
  });

  it('logs a blocked run and how sessions begin and end', async () => {
    await using test = await openTestRuntime({
      plugins: {
        gate: `export default (api) => api.on('before_agent_run', () => ({ outcome: 'block', reason: 'private reason', message: 'No.' }));`,
      },
    });
    await test.runtime.plugins.configure(['entries', 'gate', 'hooks', 'allowConversationAccess'], true);
    await test.say('my words', [{ text: 'never' }]);
    await test.runtime.conversations.reset(test.session);
    const all = await entries(test);
    expect(all.map(({ kind, outcome }) => `${String(kind)} ${String(outcome)}`)).toEqual([
      'session_start new',
      'run_end blocked',
      'session_end new',
    ]);
    expect(JSON.stringify(all)).not.toMatch(/my words|private reason/u);
  });

  it('has everything on disk once the runtime has stopped', async () => {
    const test = await openTestRuntime({ files: { 'a.md': 'a' } });
    await test.say('go', [call('read', { path: 'a.md' }), { text: 'done' }]);
    await test.runtime.stop('shutdown');
    const [name = ''] = await readdir(folderOf(test));
    const text = await readFile(join(folderOf(test), name), 'utf8');
    expect(text).toMatch(/"kind":"tool_result"[^\n]*\n[^]*"kind":"session_end"[^\n]*"outcome":"shutdown"/u);
    expect((await stat(join(folderOf(test), name))).mode & 0o077).toBe(0);
    await test[Symbol.asyncDispose]();
  });

  it('logs parameters and error texts only where that is set', async () => {
    await using test = await openTestRuntime({ config: config({ contents: true }) });
    await test.say('go', [call('read', { path: 'missing.md' }), { text: 'done' }]);
    const [result] = await ofKind(test, 'tool_result');
    expect(result?.['params']).toBe('{"path":"missing.md"}');
    expect(result?.['error']).toContain('missing.md');
  });

  it('shows the last entries as a table in which names have no effect', async () => {
    await using test = await openTestRuntime();
    expect(await audit(test)).toContain('The audit log is empty.');
    await test.say('go', [
      call('read', { path: 'a|b`c\n# [x](y)' }),
      call('write', { path: '.git/config', content: '' }),
      { text: 'done' },
    ]);
    const rows = (await audit(test, '3')).split('\n');
    expect(rows[0]).toBe('| time (UTC) | event | what | outcome | ms |');
    expect(rows.slice(2, 5).map((row) => row.split(' | ')[1])).toEqual([
      '`tool_call`',
      '`tool_result`',
      '`run_end`',
    ]);
    expect(rows[3]).toContain('`write` `.git/config` | `blocked` `workspace-guard`');
    expect(await audit(test)).toContain("`read` `a\\|b'c # [x](y)`");
  });

  it.each(['0', '201', '-1', 'ten', '1.5'])('says what /audit takes instead of %s', async (args) => {
    await using test = await openTestRuntime();
    expect(await audit(test, args)).toBe(
      'How many entries? Give a number from 1 to 200, such as `/audit 50`.',
    );
  });

  it('says once that the disk fails, hurts no call, and catches up when it works again', async () => {
    await using test = await openTestRuntime({ files: { 'a.md': 'a' } });
    await rm(folderOf(test), { recursive: true, force: true });
    await mkdir(dirname(folderOf(test)), { recursive: true });
    await writeFile(folderOf(test), 'a file where the folder should be');
    for (const path of ['a.md', 'a.md', 'a.md']) {
      const { outcome } = await test.say('go', [call('read', { path }), { text: 'done' }]);
      expect(outcome.status).toBe('completed');
    }
    const warnings = (): number =>
      test.log.lines.filter(({ message }) => message.includes("the audit log can't be written to")).length;
    await expect.poll(() => warnings()).toBe(1);
    await rm(folderOf(test));
    await test.say('go', [call('read', { path: 'a.md' }), { text: 'done' }]);
    expect(await ofKind(test, 'tool_result')).toHaveLength(4);
    expect(warnings()).toBe(1);
  });

  it('goes on after a line that a crash cut short', async () => {
    await using test = await openTestRuntime();
    await test.say('one', [{ text: 'done' }]);
    await audit(test);
    const [name = ''] = await readdir(folderOf(test));
    await writeFile(join(folderOf(test), name), '{"time":"2026-01-01T00:00:00Z","kind":"tool_c', {
      flag: 'a',
    });
    await chmod(folderOf(test), 0o700);
    await test.say('two', [{ text: 'done' }]);
    expect((await audit(test)).match(/`run_end`/gu)).toHaveLength(2);
  });
});
