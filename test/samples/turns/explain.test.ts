import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeTrace } from '../../../src/traces/describeTrace.ts';
import { openTestRuntime, type TestRuntime } from '../../builders/openTestRuntime.ts';

const plugin = (...hooks: readonly (readonly [hook: string, body: string])[]): string =>
  `module.exports = (api) => { ${hooks.map(([hook, body]) => `api.on('${hook}', (event) => { ${body} });`).join(' ')} };`;
const mayRead = (id: string) => ({
  plugins: { entries: { [id]: { hooks: { allowConversationAccess: true } } } },
});

/** The timeline of the last run without its times. */
async function timeline({ runtime }: TestRuntime): Promise<readonly string[]> {
  const trace = await runtime.turns.traces.last();
  return describeTrace(trace!).map(({ title, depth }) =>
    `${'  '.repeat(depth)}${title}`.replace(/ \([\d.]+ m?s\)$/u, '').replace(/ (in|after) [\d.]+ m?s/u, ''),
  );
}

async function filesOf({ workspace }: TestRuntime): Promise<string> {
  const folder = join(workspace, '..', 'state', 'traces');
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('');
}

it('tells who changed a call, who asked, who answered, and what the tool did', async () => {
  await using test = await openTestRuntime({
    plugins: {
      'a-mover': plugin(['before_tool_call', "return { params: { path: 'b.md' } };"]),
      'b-asker': plugin([
        'before_tool_call',
        "return { requireApproval: { title: 'Write a file?', description: event.params.path } };",
      ]),
    },
    answer: 'allow-once',
  });
  await test.say('write it', [
    { toolCalls: [{ name: 'write', arguments: { path: 'a.md', content: 'x' } }] },
    { text: 'done' },
  ]);
  // The bundled plugins listen, too; they have nothing to say here.
  const lines = (await timeline(test)).filter(
    (line) => !/(secret-redactor|audit-log|workspace-guard|memory-core) ·/u.test(line),
  );
  expect(lines).toEqual([
    'Your message arrived',
    'replay/test.jsonl asked for 1 tool call',
    'Tool call: write',
    '  a-mover · before_tool_call changed params.path: a.md → b.md',
    '  b-asker · before_tool_call asked for approval: Write a file?',
    '  host rules ask for approval: Write b.md',
    '  approval for host, b-asker: allow-once, answered by chat',
    '  write ran',
    'replay/test.jsonl answered',
    'The answer was shown and stored',
    'Completed',
  ]);
});

it('says that a change was ignored, since another plugin had asked about the call', async () => {
  await using test = await openTestRuntime({
    plugins: {
      'a-asker': plugin([
        'before_tool_call',
        "return { requireApproval: { title: 'Sure?', description: 'd' } };",
      ]),
      'b-mover': plugin(['before_tool_call', "return { params: { path: 'evil.md' } };"]),
    },
    answer: 'deny',
  });
  await test.say('write it', [
    { toolCalls: [{ name: 'write', arguments: { path: 'a.md', content: 'x' } }] },
    { text: 'done' },
  ]);
  const trace = await test.runtime.turns.traces.last();
  const mover = describeTrace(trace!).find(({ title }) => title.includes('b-mover'));
  expect(mover?.details.join()).toContain('params from b-mover were ignored: a-asker has already asked');
});

it('tells which plugin stopped a call, and why', async () => {
  await using test = await openTestRuntime({
    files: { 'a.md': 'text' },
    plugins: {
      guard: plugin(['before_tool_call', "return { block: true, blockReason: 'not on a Sunday' };"]),
    },
  });
  await test.say('read it', [
    { toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] },
    { text: 'done' },
  ]);
  expect(await timeline(test)).toContain('  blocked by guard · before_tool_call: not on a Sunday');
});

it('keeps nothing of a blocked message, in memory or on disk', async () => {
  await using test = await openTestRuntime({
    config: mayRead('gate'),
    plugins: {
      gate: plugin(
        ['message_received', 'throw new Error(event.content);'],
        ['before_prompt_build', 'return { prependContext: event.prompt };'],
        ['before_agent_run', "return { outcome: 'block', reason: event.prompt };"],
      ),
    },
  });
  await test.say('my password is hunter2', [{ text: 'not reached' }]);
  await test.runtime.turns.traces.flush();
  const lines = await timeline(test);
  expect(lines).toContain('gate · before_prompt_build changed prependContext');
  expect(lines).toContain('blocked by gate · before_agent_run');
  expect(lines.at(-1)).toBe('Blocked by gate');
  const all = JSON.stringify([await test.runtime.turns.traces.list(), await filesOf(test)]);
  expect(all).not.toContain('hunter2');
});

it('tells of a redaction by its size, never by what was taken out', async () => {
  await using test = await openTestRuntime({
    files: { 'a.md': 'the key is swordfish' },
    plugins: {
      redactor: plugin([
        'tool_result_persist',
        "return { message: { ...event.message, content: event.message.content.map((p) => ({ ...p, text: p.text.replaceAll('swordfish', '*') })) } };",
      ]),
    },
  });
  await test.say('read it', [
    { toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] },
    { text: 'done' },
  ]);
  await test.runtime.turns.traces.flush();
  expect((await timeline(test)).join('\n')).toMatch(
    /redactor · tool_result_persist changed message\.content\[0\]\.text: \d+ characters → \d+ characters/u,
  );
  expect(await filesOf(test)).not.toContain('swordfish');
});

it('tells of a plugin that failed', async () => {
  await using test = await openTestRuntime({
    plugins: { broken: plugin(['message_sending', "throw new Error('out of paper');"]) },
  });
  await test.say('hi', [{ text: 'Hi.' }]);
  expect(await timeline(test)).toContain('broken · message_sending failed: out of paper');
});
