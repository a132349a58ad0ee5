import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

const call = (name: string, args: object): object => ({ toolCalls: [{ name, arguments: args }] });

export default sample({
  rule: 'afterToolResult sees each tool that ran once, whether it succeeded or failed, and what it makes of it is what the model reads',
  openclaw: {
    broken: `module.exports = { register: (api) => void api.registerTool({
      name: 'broken', description: 'Fails.', parameters: { type: 'object', properties: {} },
      execute() { throw new Error('no ink left'); },
    }) };`,
  },
  async check({ say, marks, save }) {
    await save('a.md', 'text of a');
    const turn = await say('go', [
      call('read', { path: 'a.md' }),
      call('broken', {}),
      call('read', { path: 'no.md' }),
      call('ls', {}),
      { text: 'Done.' },
    ]);
    expect(marks).toEqual([
      'read true id',
      'strict read',
      'broken false id',
      'strict broken',
      'ls true id',
      'strict ls',
    ]);
    const [success, failure, blocked, thrown] = turn.results;
    expect(success).toMatch(/^seen: .*text of a/su);
    expect(failure).toMatch(/^seen: .*no ink left/su);
    expect(blocked).toContain('No.');
    expect(thrown).toMatch(/strict.*the result is withheld/su);
    expect(thrown).not.toContain('a.md');
  },
});
