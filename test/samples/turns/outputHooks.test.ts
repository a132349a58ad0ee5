import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../builders/openTestRuntime.ts';

const plugin = (hook: string, body: string): string =>
  `module.exports = (api) => api.on('${hook}', (event, ctx) => { ${body} });`;
const access = (id: string) => ({
  plugins: { entries: { [id]: { hooks: { allowConversationAccess: true } } } },
});

async function transcript({ workspace }: TestRuntime): Promise<string> {
  const folder = join(workspace, '..', 'state', 'sessions');
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('');
}

it('shows and stores what message_sending made of the answer, and never what the model wrote', async () => {
  await using test = await openTestRuntime({
    plugins: {
      redactor: plugin('message_sending', "return { content: event.content.replace('secret', '***') };"),
    },
  });
  const { shown } = await test.say('hi', [{ text: ['the sec', 'ret'] }]);
  expect(shown).toBe('the ***');
  expect(await transcript(test)).not.toContain('secret');
});

it('withholds an answer that message_sending cancelled, and says which plugin and why', async () => {
  await using test = await openTestRuntime({
    plugins: { censor: plugin('message_sending', "return { cancel: true, cancelReason: 'not today' };") },
  });
  const { shown } = await test.say('hi', [{ text: 'the plan' }]);
  expect(shown).toContain('censor');
  expect(shown).toContain('not today');
  expect(await transcript(test)).not.toContain('the plan');
});

it('keeps a message that before_agent_run blocked out of model, transcript and log; only the replacement stays', async () => {
  await using test = await openTestRuntime({
    config: access('gatekeeper'),
    plugins: {
      gatekeeper: plugin(
        'before_agent_run',
        "return event.prompt.includes('hunter2') ? { outcome: 'block', reason: 'has a password', message: 'Take the password out.' } : { outcome: 'pass' };",
      ),
    },
  });
  const { outcome } = await test.say('my password is hunter2', [{ text: 'not reached' }]);
  expect(outcome).toMatchObject({ status: 'blocked', pluginId: 'gatekeeper' });
  expect(JSON.stringify(outcome)).toContain('Take the password out.');
  const stored = await transcript(test);
  expect(stored).not.toContain('hunter2');
  expect(stored).not.toContain('has a password');
  expect(JSON.stringify(test.log.lines)).not.toContain('hunter2');
  expect(JSON.stringify(test.session.messages())).toContain('Take the password out.');
});

it('asks the model once more when before_agent_finalize wants a revision, and shows only the last answer', async () => {
  await using test = await openTestRuntime({
    config: access('editor'),
    plugins: {
      editor: plugin(
        'before_agent_finalize',
        "if (event.lastAssistantMessage.includes('draft')) return { action: 'revise', reason: 'No drafts.', retry: { instruction: 'Write it out.' } };",
      ),
    },
  });
  const { shown } = await test.say('write', [
    { text: 'a draft' },
    { text: 'final text', expect: { userText: 'Write it out.' } },
  ]);
  expect(shown).toBe('final text');
  expect(await transcript(test)).not.toContain('a draft');
});

it('accepts an answer after the revisions that a plugin may ask for are used up', async () => {
  await using test = await openTestRuntime({
    config: access('nag'),
    plugins: {
      nag: plugin(
        'before_agent_finalize',
        "return { action: 'revise', reason: 'again', retry: { instruction: 'again', maxAttempts: 2 } };",
      ),
    },
  });
  const { outcome } = await test.say('write', [{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
  expect(outcome).toEqual({ status: 'completed', text: 'three' });
});

it('lets before_agent_reply answer in place of the model', async () => {
  await using test = await openTestRuntime({
    config: access('parrot'),
    plugins: {
      parrot: plugin(
        'before_agent_reply',
        "return { handled: true, reply: 'I heard: ' + event.cleanedBody };",
      ),
    },
  });
  const { outcome } = await test.say('hello', [{ text: 'not reached' }]);
  expect(outcome).toEqual({ status: 'completed', text: 'I heard: hello' });
});

it('gives the model what before_prompt_build adds, for this turn only', async () => {
  await using test = await openTestRuntime({
    plugins: {
      context: plugin(
        'before_prompt_build',
        "return event.prompt === 'one' ? { prependContext: 'It is raining.' } : undefined;",
      ),
    },
  });
  await test.say('one', [{ text: 'ok', expect: { userText: 'It is raining.' } }]);
  expect(await transcript(test)).not.toContain('raining');
});

it('gives the model a tool result as tool_result_persist left it', async () => {
  await using test = await openTestRuntime({
    files: { 'a.md': 'the key is w2x4' },
    plugins: {
      scrubber: plugin(
        'tool_result_persist',
        "return { message: { ...event.message, content: event.message.content.map((p) => ({ ...p, text: p.text.replace('w2x4', '****') })) } };",
      ),
    },
  });
  await test.say('read', [
    { toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] },
    { text: 'ok', expect: { toolResult: '****' } },
  ]);
  expect(await transcript(test)).not.toContain('w2x4');
});

it('lets before_model_resolve choose another configured model, and fails with its name where there is none', async () => {
  await using test = await openTestRuntime({
    config: access('chooser'),
    plugins: {
      chooser: plugin('before_model_resolve', "return { providerOverride: 'nowhere', modelOverride: 'm' };"),
    },
  });
  const { outcome } = await test.say('hi', [{ text: 'x' }]);
  expect(outcome).toMatchObject({ status: 'failed', code: 'model_unknown' });
  expect(JSON.stringify(outcome)).toContain('nowhere/m');
});
