import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'built-in and custom plugins stand in one order of priorities, and no two share one',
  async check({ runtime, say, marks, save, plugin, found, agentDir }) {
    const order = (): readonly string[] =>
      runtime.plugins.plugins().flatMap(({ name, dexto }) => (dexto === undefined ? [] : [name]));
    expect(order()).toEqual(['early', 'contentPolicy', 'late']);
    expect(plugin('contentPolicy').dexto?.points).toEqual([
      { point: 'beforeLLMRequest', position: 2, of: 3, band: 'before OpenClaw' },
    ]);
    // What comes before it is judged by it, what comes after it is not.
    expect((await say('LONG', [{ text: 'never asked' }])).outcome).toMatchObject({
      status: 'blocked',
      pluginId: 'contentPolicy',
    });
    await say('a@b.example', [{ text: 'Done.' }]);
    expect(marks).toEqual(['late [EMAIL]']);
    const text = await readFile(join(agentDir, 'agent.yml'), 'utf8');
    await save('.pincer/agent.yml', text.replace('priority: 30', 'priority: 20'));
    expect(
      found('agent_file_priority_twice')
        .map(({ message }) => message)
        .join(),
    ).toMatch(/contentPolicy.*late|late.*contentPolicy/u);
    expect(order()).toEqual(['early', 'contentPolicy', 'late']);
  },
});
