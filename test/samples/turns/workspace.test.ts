import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Model } from '../../../src/contracts/model.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const read = (path: string) => ({ toolCalls: [{ name: 'read', arguments: { path } }] });
const write = (path: string, content: string) => ({
  toolCalls: [{ name: 'write', arguments: { path, content } }],
});

it('touches no file while an approval waits, and writes it after the yes', async () => {
  await using test = await openTestRuntime({ files: { 'a.md': 'old\n' } });
  const turn = test.say('go', [write('a.md', 'new\n'), { text: 'ok' }]);
  await new Promise<void>((resolve) => {
    test.runtime.approvals.onDidChange(() => resolve());
  });
  expect(await readFile(join(test.workspace, 'a.md'), 'utf8')).toBe('old\n');
  const [request] = test.runtime.approvals.pending();
  expect(request?.edits[0]).toMatchObject({ before: 'old\n', after: 'new\n' });
  test.runtime.approvals.noteShownWhole(request?.id ?? '', 'diff');
  test.runtime.approvals.resolve(request?.id ?? '', 'allow-once', 'chat');
  await turn;
  expect(await readFile(join(test.workspace, 'a.md'), 'utf8')).toBe('new\n');
});

it('remembers "always" for exactly that file, and for no other', async () => {
  await using test = await openTestRuntime({ answer: 'allow-always' });
  const first = await test.say('go', [
    write('a.md', '1'),
    write('a.md', '2'),
    write('b.md', '3'),
    { text: 'ok' },
  ]);
  expect(
    first.events.filter((event) => event.type === 'approval_requested').map((event) => event.request.title),
  ).toEqual(['Write a.md', 'Write b.md']);
});

it('takes folders that are added and removed while it runs', async () => {
  await using test = await openTestRuntime();
  const other = join(test.workspace, '..', 'other');
  await mkdir(join(other, '.pincer', 'plugins', 'late'), { recursive: true });
  await writeFile(join(other, 'b.md'), 'from the other folder');
  await writeFile(
    join(other, '.pincer', 'plugins', 'late', 'openclaw.plugin.json'),
    '{ "id": "late", "configSchema": {} }',
  );
  await writeFile(join(other, '.pincer', 'plugins', 'late', 'index.js'), 'module.exports = () => {};');

  await test.runtime.workspace.update({ folders: [test.workspace, other], isTrusted: true });
  expect(test.runtime.plugins.plugins().map((plugin) => plugin.id)).toContain('late');
  await test.say('read', [
    read('other/b.md'),
    { text: 'ok', expect: { toolResult: 'from the other folder' } },
  ]);

  await test.runtime.workspace.update({ folders: [test.workspace], isTrusted: true });
  expect(test.runtime.plugins.plugins().map((plugin) => plugin.id)).not.toContain('late');
  const gone = await test.say('read', [read('other/b.md'), { text: 'ok' }]);
  expect(gone.events.some((event) => event.type === 'tool_ended' && event.result.isError)).toBe(true);
});

it('only reads in a window that is not trusted, and says why a write is not there', async () => {
  await using test = await openTestRuntime({ files: { 'a.md': 'x' }, isTrusted: false });
  const names = test.runtime.tools
    .catalogFor(test.session)
    .tools()
    .map((tool) => tool.name);
  expect(names).toContain('read');
  expect(names).not.toContain('write');
  const { events } = await test.say('go', [write('a.md', 'y'), { text: 'ok' }]);
  const ended = events.find((event) => event.type === 'tool_ended');
  expect(JSON.stringify(ended)).toContain('restricted');
});

it('denies a tool that the workspace config denies, and names the layer', async () => {
  await using test = await openTestRuntime({
    files: { '.pincer/config.jsonc': '{ "tools": { "deny": ["write"] } }' },
  });
  const hidden = test.runtime.tools.catalogFor(test.session).hidden();
  const byWorkspace = hidden.filter(({ reason }) => reason.includes('workspace config'));
  expect(byWorkspace).toMatchObject([{ name: 'write', code: 'tool_denied' }]);
});

it('goes on with a broken config and says file and line', async () => {
  await using test = await openTestRuntime({
    files: { '.pincer/config.jsonc': '{\n  "agent": {\n    "maxRounds": 0\n  }\n}' },
  });
  expect(test.runtime.workspace.diagnostics()).toMatchObject([{ code: 'config_invalid', line: 3 }]);
  expect((await test.say('hi', [{ text: 'hello' }])).outcome.status).toBe('completed');
});

it('stops a tool and the turn at the cancel, whatever time it is, and leaves a transcript that goes on', async () => {
  let isStanding = false;
  await using test = await openTestRuntime({
    // After the cancel time stands still: nothing may wait for any.
    adjustHost: (host) => ({
      ...host,
      clock: {
        ...host.clock,
        after: (ms, call) =>
          host.clock.after(ms, () => {
            if (!isStanding) call();
          }),
      },
    }),
    plugins: {
      sleeper: `module.exports = (api) => api.registerTool({
        name: 'sleep', description: 'Never ends.', parameters: { type: 'object', properties: {} },
        execute: () => { mark('sleeping'); return new Promise(() => {}); },
      });`,
    },
  });
  const abort = new AbortController();
  const turn = test.say('sleep', [{ toolCalls: [{ name: 'sleep', arguments: {} }] }], {
    signal: abort.signal,
  });
  await expect.poll(() => test.marks).toContain('sleeping');
  isStanding = true;
  abort.abort();
  expect((await turn).outcome).toEqual({ status: 'cancelled' });
  isStanding = false;
  const roles = test.session.messages().map((message) => message.role);
  expect(roles).toEqual(['user', 'assistant', 'toolResult']);
  expect((await test.say('and now', [{ text: 'fine' }])).outcome.status).toBe('completed');
});

it('stops at the limit of model answers and says how to go on', async () => {
  await using test = await openTestRuntime({ config: { agent: { maxRounds: 2 } }, files: { 'a.md': 'x' } });
  const { outcome } = await test.say('loop', [read('a.md'), read('a.md'), read('a.md')]);
  expect(outcome).toMatchObject({ status: 'failed', code: 'round_limit' });
});

it('turns a model that throws nonsense into a failure with a message', async () => {
  await using test = await openTestRuntime();
  const broken: Model = {
    info: test.runtime.models.default().info,
    stream: () => ({
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(Object.assign(Object.create(null) as Error, { odd: true })),
      }),
    }),
  };
  const { outcome } = await test.say('hi', [{ text: 'not reached' }], { model: broken });
  expect(outcome).toMatchObject({ status: 'failed', code: 'model_unavailable' });
});
