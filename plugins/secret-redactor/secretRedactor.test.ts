import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../test/builders/openTestRuntime.ts';

// Put together here, so that no scanner takes this file for a leak.
const token = `ghp_${'q7Zk2Xw9Rf4Lm8Tb3Vc6'.repeat(2).slice(0, 36)}`;
const config = (settings: object): object => ({
  plugins: { entries: { 'secret-redactor': { config: settings } } },
});
const readEnv = { toolCalls: [{ name: 'read', arguments: { path: 'notes.md' } }] };

describe('secret-redactor', () => {
  it('is on by default and shows no problem', async () => {
    await using test = await openTestRuntime();
    const plugin = test.runtime.plugins.plugins().find(({ id }) => id === 'secret-redactor');
    expect(plugin).toMatchObject({ status: 'loaded', reason: 'enabled by default', diagnostics: [] });
  });

  it('keeps a secret that a tool read from the model, the screen and the transcript', async () => {
    await using test = await openTestRuntime({ files: { 'notes.md': `use ${token} here` } });
    const { events, outcome } = await test.say('go', [
      readEnv,
      { expect: { toolResult: 'use [redacted: github token] here' }, text: 'done' },
    ]);
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(events)).not.toContain(token);
    expect(JSON.stringify(test.session.messages())).not.toContain(token);
  });

  it('replaces what the user pasted before it is stored and before a model reads it', async () => {
    await using test = await openTestRuntime();
    const { outcome } = await test.say(`deploy with ${token}`, [
      { expect: { userText: 'deploy with [redacted: github token]' }, text: 'ok' },
    ]);
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(test.session.messages())).not.toContain(token);
  });

  it('replaces what the model says and calls with in the transcript, and the call still gets it', async () => {
    await using test = await openTestRuntime({ answer: 'allow-once' });
    const content = `token = "${token}"\n`;
    await test.say('go', [
      { text: `I use ${token}.`, toolCalls: [{ name: 'write', arguments: { path: 'a.md', content } }] },
      { text: 'password=hunter22' },
    ]);
    expect(await readFile(join(test.workspace, 'a.md'), 'utf8')).toBe(content);
    const stored = JSON.stringify(test.session.messages());
    expect(stored).not.toContain(token);
    expect(stored).not.toContain('hunter22');
    expect(test.session.messages().map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'toolResult',
      'assistant',
    ]);
  });

  it('replaces secrets in details, keeps images and says which call a result answers', async () => {
    const result = {
      content: [
        { type: 'image', data: 'AKIAQ7ZK2XW9RF4LM8TB', mimeType: 'image/png' },
        { type: 'text', text: 'ok' },
      ],
      details: { deep: [{ password: 'hunter22', count: 3 }] },
    };
    await using test = await openTestRuntime({
      plugins: {
        tool: `export default (api) => api.registerTool({ name: 'show', description: 'Shows.', parameters: { type: 'object', properties: {} }, execute: () => (${JSON.stringify(result)}) });`,
      },
      answer: 'allow-once',
    });
    await test.say('go', [{ toolCalls: [{ name: 'show', id: 'call-7' }] }, { text: 'done' }]);
    expect(test.session.messages().find(({ role }) => role === 'toolResult')).toMatchObject({
      toolCallId: 'call-7',
      content: result.content,
      details: { deep: [{ password: '[redacted: secret value]', count: 3 }] },
    });
  });

  it('logs the kind and how many, never the value', async () => {
    await using test = await openTestRuntime({
      files: { 'notes.md': `${token} ${token} password=hunter22` },
    });
    await test.say('go', [readEnv, { text: 'done' }]);
    const text = test.log.lines.map(({ message }) => message).join('\n');
    expect(text).toContain('[secret-redactor] replaced 2 × github token, 1 × secret value in a tool result');
    expect(text).not.toMatch(/ghp_|hunter22/u);
  });

  it('asks before a tool that the settings name writes a placeholder', async () => {
    const note = {
      description: 'Notes.',
      parameters: { type: 'object', properties: { text: { type: 'string' } } },
    };
    await using test = await openTestRuntime({
      plugins: {
        notes: `export default (api) => api.registerTool({ name: 'note', ...${JSON.stringify(note)}, execute: () => ({ content: [] }) });`,
      },
      config: config({ writeTools: ['note'] }),
      answer: 'deny',
    });
    const call = { name: 'note', arguments: { text: 'key: [redacted: github token]' } };
    const { events } = await test.say('go', [{ toolCalls: [call] }, { text: 'done' }]);
    expect(events.find(({ type }) => type === 'approval_requested')).toMatchObject({
      request: { askers: expect.arrayContaining(['secret-redactor']) as unknown },
    });
  });

  it('takes more patterns and exceptions from its settings', async () => {
    await using test = await openTestRuntime({
      files: { 'notes.md': 'acme_a1b2c3d4 acme_e5f6a7b8' },
      config: config({ extra: [{ name: 'acme key', pattern: 'acme_[a-z0-9]{8}' }], allow: ['acme_e*'] }),
    });
    const { outcome } = await test.say('go', [
      readEnv,
      { expect: { toolResult: '[redacted: acme key] acme_e5f6a7b8' }, text: 'done' },
    ]);
    expect(outcome).toMatchObject({ status: 'completed' });
  });

  it('leaves out a pattern that could be slow, says so, and keeps the others', async () => {
    await using test = await openTestRuntime({
      files: { 'notes.md': token },
      config: config({ extra: [{ name: 'slow', pattern: '(a+)+b' }] }),
    });
    const { outcome } = await test.say('go', [
      readEnv,
      { expect: { toolResult: '[redacted: github token]' }, text: 'done' },
    ]);
    expect(outcome).toMatchObject({ status: 'completed' });
    const text = test.log.lines.map(({ message }) => message).join('\n');
    expect(text).toContain('the extra pattern "slow" is not used: "(" is not supported at position 1');
  });

  it('takes hashes too where it is strict', async () => {
    const hash = '9fceb02d0ae598e95dc970b74767f19372d61af8';
    await using test = await openTestRuntime({
      files: { 'notes.md': hash },
      config: config({ strict: true }),
    });
    const { outcome } = await test.say('go', [
      readEnv,
      { expect: { toolResult: '[redacted: long token]' }, text: 'done' },
    ]);
    expect(outcome).toMatchObject({ status: 'completed' });
  });

  it('does nothing once it is disabled; keys whose shape is known go all the same', async () => {
    await using test = await openTestRuntime({ files: { 'notes.md': token } });
    await test.runtime.plugins.setEnabled('secret-redactor', false);
    const { outcome } = await test.say('go', [
      readEnv,
      { expect: { toolResult: '[key removed]' }, text: 'done' },
    ]);
    expect(outcome).toMatchObject({ status: 'completed' });
  });
});
