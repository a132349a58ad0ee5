import { describe, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntimeOptions } from '../../builders/openTestRuntime.ts';

// Put together here, so that no scanner takes this file for a leak.
const key = `ghp_${'q7Zk2Xw9Rf4Lm8Tb3Vc6'.repeat(2).slice(0, 36)}`;
const mark = '[key removed]';

/** Without the plugin that takes secrets out as well: this is about what is left when a user switches it off. */
const open = (options: TestRuntimeOptions) =>
  openTestRuntime({
    ...options,
    config: { plugins: { entries: { 'secret-redactor': { enabled: false } } } },
  });

/** Everything that the model got in one turn. */
async function requestsOf(
  options: TestRuntimeOptions,
  say: { readonly prompt?: string; readonly attached?: string; readonly calls?: readonly object[] },
): Promise<string> {
  await using test = await open(options);
  const { prompt = 'Hi.', attached, calls = [] } = say;
  const requests: unknown[] = [];
  const script = [...calls.map((call) => ({ toolCalls: [call] })), { text: 'Done.' }];
  const { outcome } = await test.say(prompt, script, {
    ...(attached === undefined ? {} : { attachments: [{ type: 'text', text: attached }] }),
    seen: (request) => void requests.push({ system: request.systemPrompt, messages: request.messages }),
  });
  expect(outcome).toMatchObject({ status: 'completed' });
  return JSON.stringify(requests);
}

describe('before a model reads it, a key goes out of', () => {
  it('what the user writes', async () => {
    const read = await requestsOf({}, { prompt: `deploy with ${key}` });
    expect(read).toContain(`deploy with ${mark}`);
    expect(read).not.toContain(key);
  });

  it('what the user attaches', async () => {
    const read = await requestsOf({}, { attached: `# Notes\n${key}` });
    expect(read).toContain(mark);
    expect(read).not.toContain(key);
  });

  it.each([
    ['read', { path: 'notes.md' }],
    ['grep', { pattern: 'use' }],
    ['exec', { command: 'cat notes.md' }],
  ])('what %s finds', async (name, args) => {
    const read = await requestsOf(
      { files: { 'notes.md': `use ${key} here` }, answer: 'allow-once' },
      { calls: [{ name, arguments: args }] },
    );
    expect(read).toContain(`use ${mark} here`);
    expect(read).not.toContain(key);
  });

  it('rules files and what plugins add', async () => {
    const adds = `module.exports = (api) => { api.on('before_prompt_build', () => ({ prependContext: 'note ${key}' })); };`;
    const read = await requestsOf({ files: { 'AGENTS.md': `Rule: ${key}.` }, plugins: { adds } }, {});
    expect(read).toContain(`Rule: ${mark}.`);
    expect(read).toContain(`note ${mark}`);
    expect(read).not.toContain(key);
  });
});

it('a line with a key stays as it is where the model edits the lines around it', async () => {
  await using test = await open({ files: { 'a.env.md': `one\nKEY=${key}\ntwo\n` }, answer: 'allow-once' });
  const edit = (oldText: string, newText: string) => ({
    name: 'edit',
    arguments: { path: 'a.env.md', edits: [{ oldText, newText }] },
  });
  const { events } = await test.say('Edit it.', [
    { toolCalls: [edit(`KEY=${mark}`, 'KEY=new')] },
    { toolCalls: [edit('two', `KEY=${mark}`)] },
    { toolCalls: [edit('two', 'three')] },
    { text: 'Done.' },
  ]);
  const results = events.flatMap((event) => (event.type === 'tool_ended' ? [event.result] : []));
  expect(results.map(({ isError }) => isError)).toEqual([true, true, false]);
  expect(JSON.stringify(results[0])).toContain('stands for a secret');
  expect(JSON.stringify(results[1])).toContain('stands for a secret');
});
