import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a command says whether the agent goes on, with a text or without; a session action tells it to who started it',
  async check({ manager, sessionKey }) {
    const [fix] = manager.commands();
    const run = (args: string) => fix?.run(args, { channel: 'cli' });
    expect(await run('')).toEqual({ text: 'Say what to fix.', continues: false });
    expect(await run('typos')).toEqual({ text: 'Looking.', continues: true });
    expect(await run('links')).toEqual({ text: '', continues: true });
    const action = { pluginId: 'fixer', actionId: 'go', sessionKey };
    expect(await manager.runSessionAction(action)).toEqual({ reply: 'gone', continueAgent: true });
  },
});
