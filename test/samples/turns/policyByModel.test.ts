import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const listsTools =
  "api.on('llm_input', (event) => void mark(event.tools.map((tool) => tool.name).includes('read') ? 'read' : 'no read'));";
const config = {
  tools: { byProvider: { pincer: { deny: ['read'] } } },
  plugins: { entries: { chooser: { hooks: { allowConversationAccess: true } } } },
};

it('a plugin that changes the model gets the tools that the policy gives to that model, not those of the first', async () => {
  const choice =
    "api.on('before_model_resolve', () => ({ providerOverride: 'pincer', modelOverride: 'built-in' }));";
  await using world = await openTestRuntime({
    plugins: { chooser: `module.exports = (api) => { ${choice} ${listsTools} };` },
    config,
  });
  await world.say('hello', [{ text: 'Hi.' }]);
  expect(world.marks).toEqual(['no read']);
});

it('a rule for one provider leaves the others their tools', async () => {
  await using world = await openTestRuntime({
    plugins: { chooser: `module.exports = (api) => { ${listsTools} };` },
    config,
  });
  await world.say('hello', [{ text: 'Hi.' }]);
  expect(world.marks).toEqual(['read']);
});
