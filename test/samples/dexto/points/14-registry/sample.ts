import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'a built-in name that the registry does not have stops the agent, with the nearest that it has',
  async check({ say, save, found, agentDir, restart, plugin }) {
    expect(plugin('contentPolicy').status).toBe('loaded');
    await save('.pincer/agent.yml', 'plugins:\n  contentPolice: {}\n');
    await restart();
    expect(found('agent_file_plugin_unknown')).toMatchObject([
      {
        message: 'There is no built-in plugin "contentPolice".',
        hint: expect.stringContaining('Did you mean contentPolicy?') as unknown,
        ...{ source: join(agentDir, 'agent.yml'), line: 2, column: 3 },
      },
    ]);
    await expect(say('Hello')).rejects.toMatchObject({ code: 'agent_stopped' });
  },
});
