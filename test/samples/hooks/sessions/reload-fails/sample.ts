import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'where a saved plugin does not load, the handlers of its last version stay, and the failure is shown',
  async check({ runtime, say, writePlugin }) {
    await runtime.plugins.setDeveloping('writer', true);
    const file = await writePlugin('writer', "throw new Error('half written');");
    const saved = [file];
    runtime.workspace.followSaves(() => Promise.resolve(saved.splice(0)));
    await runtime.workspace.filesChanged();
    expect((await say('hi', done)).shown).toBe('old');
    expect(runtime.workspace.diagnostics().some(({ message }) => message.includes('half written'))).toBe(
      true,
    );
  },
});
