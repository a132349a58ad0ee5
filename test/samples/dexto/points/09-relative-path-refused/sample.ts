import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'a relative path is refused where it stands, with the path to write in its place, and no turn begins',
  async check({ say, found, agentDir, save, agree }) {
    const source = join(agentDir, 'agent.yml');
    expect(found('agent_file_module_relative')).toMatchObject([
      {
        ...{ level: 'error', source, line: 4, column: 15 },
        message: expect.stringContaining('"./near.js" is not an absolute path') as unknown,
        hint: expect.stringContaining('Write "${{dexto.agent_dir}}/near.js"') as unknown,
      },
      {
        source,
        line: 7,
        hint: expect.stringContaining('Write "${{dexto.agent_dir}}/plugins/near.js"') as unknown,
      },
    ]);
    await expect(say('Hello')).rejects.toMatchObject({ code: 'agent_stopped' });
    await save(
      '.pincer/agent.yml',
      'plugins:\n  custom:\n    - { name: near, module: "${{dexto.agent_dir}}/near.js", priority: 1 }\n',
    );
    await agree();
    expect((await say('Hello')).sent).toContain('Hello near');
  },
});
