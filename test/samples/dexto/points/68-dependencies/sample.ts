import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'what a plugin depends on begins and runs before it, whatever the priorities say; a circle and what is missing are told, and nothing half runs',
  async check({ say, marks, save, agentDir, found, plugin }) {
    const last = (word: string): readonly string[] =>
      marks
        .filter((mark) => mark.endsWith(word))
        .slice(-3)
        .map((mark) => mark.split(' ')[0] ?? '');
    expect(last('begins')).toEqual(['greet', 'ledger', 'report']);
    await say('go', [{ text: 'Done.' }]);
    expect(last('asked')).toEqual(['greet', 'ledger', 'report']);
    expect(plugin('report').dexto?.dependsOn).toEqual(['ledger', 'greet']);

    const text = await readFile(join(agentDir, 'agent.yml'), 'utf8');
    await save('.pincer/agent.yml', text.replace('priority: 30', 'priority: 30\n      dependsOn: [report]'));
    const messages = (): string =>
      found('plugin_configuration_invalid')
        .map(({ message }) => message)
        .join();
    expect(messages()).toMatch(/in a circle: .*'report' -> |in a circle: .*'ledger' -> /u);
    await save('.pincer/agent.yml', text.replace('[ledger]', '[abacus]'));
    expect(messages()).toContain("plugin 'report' needs plugin 'abacus', which the agent file does not have");
    expect((await say('go', [{ text: 'Done.' }])).outcome).toMatchObject({ status: 'completed' });
    expect(last('asked')).toEqual(['greet', 'ledger', 'report']);
  },
});
