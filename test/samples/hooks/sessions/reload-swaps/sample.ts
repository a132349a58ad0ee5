import { expect } from 'vitest';
import { createHeldModel } from '../../../../builders/createHeldModel.ts';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a plugin that is saved is swapped between turns: the turn that runs ends with the handlers it began with',
  async check({ runtime, say, sayTo, writePlugin }) {
    await runtime.plugins.setDeveloping('writer', true);
    const model = createHeldModel([
      ['wait', { type: 'text', text: 'Done.' }, { type: 'done', stopReason: 'stop' }],
    ]);
    const turn = sayTo('hi', [], { model });
    await model.isWaiting;
    const file = await writePlugin(
      'writer',
      "module.exports = (api) => api.on('message_sending', () => ({ content: 'new' }));",
    );
    const saved = [file];
    runtime.workspace.followSaves(() => Promise.resolve(saved.splice(0)));
    const swapped = runtime.workspace.filesChanged();
    // Goes through the same queue, so whatever may load while the turn runs has loaded.
    await runtime.plugins.setEnabled('other', false);
    model.release();
    expect((await turn).shown).toBe('old');
    await swapped;
    expect((await say('again', done)).shown).toBe('new');
  },
});
