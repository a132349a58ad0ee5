import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

const withPriority = (priority: string): string =>
  `plugins:\n  contentPolicy: { priority: ${priority} }\n  responseSanitizer: { priority: 7 }\n`;

export default sample({
  rule: 'priorities are whole numbers, negative ones too; lower runs first whatever the order of the file, and built-in plugins are in the same order',
  async check({ say, save, found, plugin }) {
    // contentPolicy runs between both: it sees and redacts what the first adds, not what the last does.
    const { sent } = await say('Hello');
    expect(sent).toMatch(/Hello first \[[^@\]]*\] last@sea\.example/u);
    expect(plugin('last').dexto?.points[0]).toMatchObject({ position: 3, of: 3 });
    await save('.pincer/agent.yml', withPriority('1.5'));
    expect(found('agent_file_invalid')).toMatchObject([{ line: 2, column: 30 }]);
    await save('.pincer/agent.yml', withPriority('7'));
    expect(found('agent_file_priority_twice')).toMatchObject([
      {
        message: 'contentPolicy (line 2) and responseSanitizer (line 3) both have priority 7.',
        line: 3,
      },
    ]);
  },
});
