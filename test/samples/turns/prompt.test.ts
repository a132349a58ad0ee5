import { expect, it } from 'vitest';
import type { Model, ModelRequest } from '../../../src/contracts/model.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createReplayModel } from '../../../src/models/replay/createReplayModel.ts';
import { renderPromptReport } from '../../../src/agent/prompt/renderPromptReport.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const files = {
  'AGENTS.md': 'Use tabs.',
  'CLAUDE.md': '@AGENTS.md',
  'src/AGENTS.md': 'Rules of src.',
  'src/a.ts': 'one\n',
  '.pincer/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: How to deploy\n---\nPush the button.\n',
};

/** A model that answers from a script, and what it was asked. */
function recorded(...script: readonly object[]): { readonly model: Model; readonly asked: ModelRequest[] } {
  const lines = script.map((turn) => JSON.stringify(turn)).join('\n');
  const replay = createReplayModel({ script: lines, name: 'test.jsonl', clock: systemClock });
  const asked: ModelRequest[] = [];
  const model: Model = {
    info: replay.info,
    stream(request) {
      asked.push({ ...request, messages: [...request.messages] });
      return replay.stream(request);
    },
  };
  return { model, asked };
}

const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] });

it('a turn has the rules of the workspace in its prompt, and those of a folder with the result that touched it', async () => {
  await using test = await openTestRuntime({ files });
  const { model, asked } = recorded(call('read', { path: 'src/a.ts' }), { text: 'done' });
  await test.say('go', [], { model });
  expect(asked[0]?.systemPrompt).toContain('Use tabs.');
  expect(asked[0]?.systemPrompt).not.toContain('Rules of src.');
  const mark = /carry the mark ([\w-]+);/u.exec(asked[0]?.systemPrompt ?? '')?.[1] ?? 'none';
  const result = JSON.stringify(asked[1]?.messages.at(-1));
  expect(result).toContain(`[${mark}: these rules hold below src/]`);
  expect(result).toContain('Rules of src.');
  expect(asked[1]?.systemPrompt).toBe(asked[0]?.systemPrompt);
});

it('a skill is listed by its name and loaded by the model', async () => {
  await using test = await openTestRuntime({ files });
  const { model, asked } = recorded(call('skill', { name: 'deploy' }), { text: 'done' });
  await test.say('go', [], { model });
  expect(asked[0]?.systemPrompt).toContain('- deploy: How to deploy');
  expect(asked[0]?.systemPrompt).not.toContain('Push the button.');
  expect(JSON.stringify(asked[1]?.messages.at(-1))).toContain('Push the button.');
});

it('a window that is not trusted has no text of the workspace in the prompt, and no skill of it', async () => {
  await using test = await openTestRuntime({ files, isTrusted: false });
  const { model, asked } = recorded(call('read', { path: 'src/a.ts' }), { text: 'done' });
  await test.say('go', [], { model });
  const all = JSON.stringify(asked);
  expect(all).not.toContain('Use tabs.');
  expect(all).not.toContain('Rules of src.');
  expect(all).not.toContain('How to deploy');
});

it('the report is what the model got, with who added it, and nothing of a message that was blocked', async () => {
  const plugin = `export default { id: 'words', register(api) {
    api.on('before_prompt_build', ({ prompt }) => ({ prependContext: 'About: ' + prompt, appendSystemContext: 'Count words.' }));
    api.on('before_agent_run', ({ prompt }) =>
      prompt.includes('secret') ? { outcome: 'block', reason: 'no', message: 'Blocked.' } : { outcome: 'pass' });
  } };`;
  const config = { plugins: { entries: { words: { hooks: { allowConversationAccess: true } } } } };
  await using test = await openTestRuntime({ files, plugins: { words: plugin }, config });
  const { model, asked } = recorded({ text: 'done' });
  await test.say('hello', [], { model });
  const report = await test.runtime.conversations.prompt(test.session);
  const system = report.parts.filter(({ place }) => place === 'system').map(({ text }) => text);
  expect(system.join('\n\n')).toBe(asked[0]?.systemPrompt);
  expect(report.parts.slice(-2)).toMatchObject([
    { owner: { kind: 'plugin', pluginId: 'words' }, place: 'system', text: 'Count words.' },
    { owner: { kind: 'plugin', pluginId: 'words' }, place: 'before', text: 'About: hello' },
  ]);
  expect(report.tools.map(({ name }) => name)).toEqual(asked[0]?.tools.map(({ name }) => name));
  await test.say('the secret word', [], { model: recorded({ text: 'never' }).model });
  const after = renderPromptReport(await test.runtime.conversations.prompt(test.session));
  expect(after).not.toContain('secret');
});

it('a plugin brings skills by its manifest, and none where it may not add to prompts', async () => {
  const folder = '.pincer/plugins/words';
  const manifest = { id: 'words', configSchema: { type: 'object' }, skills: ['skills'] };
  const withPlugin = {
    [`${folder}/openclaw.plugin.json`]: JSON.stringify(manifest),
    [`${folder}/index.js`]: "export default { id: 'words', register() {} };",
    [`${folder}/skills/count/SKILL.md`]: '---\nname: count\ndescription: How to count\n---\nOne, two.\n',
  };
  const promptWith = async (config: object): Promise<string> => {
    await using test = await openTestRuntime({ files: withPlugin, config });
    const { model, asked } = recorded({ text: 'done' });
    await test.say('go', [], { model });
    return asked[0]?.systemPrompt ?? '';
  };
  expect(await promptWith({})).toContain('- count: How to count');
  const forbidden = { plugins: { entries: { words: { hooks: { allowPromptInjection: false } } } } };
  expect(await promptWith(forbidden)).not.toContain('How to count');
});
