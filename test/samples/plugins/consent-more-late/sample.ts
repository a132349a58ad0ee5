import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what a plugin registers late waits as well where its name is computed',
  async check({ manager, marks, plugin }) {
    const changed = new Promise<void>((resolve) => void manager.onDidChange(resolve));
    (globalThis as unknown as { registerLate: () => void }).registerLate();
    Reflect.deleteProperty(globalThis, 'registerLate');
    await changed;
    await manager.hooks.observe('message_received', { from: 'user', content: 'hi' }, { channelId: 'vscode' });
    expect(marks).toEqual([]);
    expect(plugin('sly').heldBack).toEqual(['hook message_received']);
  },
});
