import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'a misspelt or wrong option of a built-in plugin stops the agent, at its place in the file and with the nearest that there is',
  async check({ say, save, found, agentDir }) {
    const source = join(agentDir, 'agent.yml');
    expect(found('agent_file_key_unknown')).toMatchObject([
      {
        level: 'error',
        message: 'plugins.contentPolicy.redactEmail is no key that is known here.',
        hint: expect.stringContaining('Did you mean redactEmails?') as unknown,
        ...{ source, line: 3, column: 5 },
      },
    ]);
    expect(found('agent_file_invalid')).toMatchObject([
      { message: expect.stringContaining('plugins.contentPolicy.maxInputChars') as unknown, source, line: 4 },
    ]);
    await expect(say('Hello')).rejects.toMatchObject({ code: 'agent_stopped' });
    await save('.pincer/agent.yml', 'plugins:\n  contentPolicy: { redactEmails: true, maxInputChars: 90 }\n');
    expect((await say('ada@sea.example')).sent).not.toContain('ada@');
  },
});
