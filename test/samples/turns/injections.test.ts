import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const queuer = `
module.exports = (api) => {
  api.registerCommand({
    name: 'remind',
    acceptsArgs: true,
    async handler({ args, sessionKey }) {
      await api.enqueueNextTurnInjection({ sessionKey, text: args, placement: 'append_context' });
      return 'noted';
    },
  });
  api.on('agent_turn_prepare', (event) => void mark('queued ' + event.queuedInjections.map((each) => each.text).join()));
};
`;

it('what a plugin queued reaches the model in the next turn, once', async () => {
  await using world = await openTestRuntime({ plugins: { queuer } });
  const command = world.runtime.plugins.findCommand('/remind the tests are red');
  expect((await command?.run(world.session))?.text).toBe('noted');
  await world.say('go on', [{ expect: { userText: 'the tests are red' }, text: 'First.' }]);
  await world.say('and now', [{ text: 'Second.' }]);
  expect(world.marks).toEqual(['queued the tests are red', 'queued ']);
});

it('an injected text is not stored: it belongs to one turn', async () => {
  await using world = await openTestRuntime({ plugins: { queuer } });
  await world.runtime.plugins.findCommand('/remind a passing thought')?.run(world.session);
  await world.say('go on', [{ text: 'Done.' }]);
  expect(JSON.stringify(world.session.messages())).not.toContain('passing thought');
});
