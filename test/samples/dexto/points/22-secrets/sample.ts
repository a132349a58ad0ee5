import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

const token = 'tide-9f2c81d07a';

export default sample({
  rule: 'settings take secrets from the environment; the plugin gets the value, and no log, trace, record or conversation shows it',
  env: { POINT_TOKEN: token },
  async check({ say, marks, logged, stored, plugin, save, found, restart }) {
    expect(marks).toEqual([`token ${token}, text $POINT_TOKEN`]);
    const { results } = await say('Hello', [
      { toolCalls: [{ name: 'read', arguments: { path: 'notes.md' } }] },
      { text: 'Hi.' },
    ]);
    expect(results).toHaveLength(1);
    const all = [logged(), await stored(), JSON.stringify(plugin('holder')), ...results];
    expect(all.join('\n')).toContain('the token is');
    expect(all.join('\n')).not.toContain(token);
    await save('.pincer/agent.yml', 'plugins:\n  contentPolicy: { blockedWords: [$POINT_MISSING] }\n');
    expect(found('agent_file_env_missing')).toMatchObject([{ level: 'error', line: 2 }]);
    await restart();
    await expect(say('Hello')).rejects.toThrow(/POINT_MISSING is not set/u);
  },
});
