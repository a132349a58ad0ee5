import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what a plugin registers after register has ended takes effect',
  async check({ manager, marks, plugin }) {
    const changed = new Promise<void>((resolve) => void manager.onDidChange(resolve));
    (globalThis as unknown as { registerLate: () => void }).registerLate();
    // What is there before a plugin runs counts as something that it must not replace.
    Reflect.deleteProperty(globalThis, 'registerLate');
    await changed;
    await manager.hooks.observe('message_received', { from: 'user', content: 'hi' }, { channelId: 'vscode' });
    expect(marks).toEqual(['heard']);
    expect(plugin('late').toolNames).toEqual(['ping']);
  },
});
