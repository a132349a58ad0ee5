import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

const leadingOut =
  'plugins:\n  custom:\n    - { name: a, module: "${{dexto.agent_dir}}/../a.js", priority: 1 }\n';

export default sample({
  rule: '${{dexto.agent_dir}} is the folder of the agent file in every text, ${{dexto.project_dir}} the workspace; ".." does not lead out',
  async check({ say, marks, agentDir, workspace, save, found }) {
    expect(marks).toEqual([`own ${join(agentDir, 'data')}, project ${workspace}`]);
    expect((await say('Hello')).sent).toContain('Hello there');
    await save('.pincer/agent.yml', leadingOut);
    expect(found('agent_file_path_escapes')).toMatchObject([
      { level: 'error', source: join(agentDir, 'agent.yml'), line: 3 },
    ]);
    expect((await say('Hello')).sent).toContain('Hello there');
  },
});
