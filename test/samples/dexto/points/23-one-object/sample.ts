import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'plugins are one object of the file, with built-in ones by name and a list of custom ones, or one list; a bare text is refused',
  async check({ say, found, save, agree }) {
    expect(found('agent_file_invalid')).toMatchObject([
      {
        message: 'plugins: expected plugins by name, or a list of them.',
        hint: expect.stringContaining('plugins: { contentPolicy: {} }') as unknown,
        line: 1,
      },
    ]);
    await expect(say('Hello')).rejects.toMatchObject({ code: 'agent_stopped' });
    await save(
      '.pincer/agent.yml',
      `plugins:
  contentPolicy: { redactEmails: true }
  custom:
    - { name: own, module: '\${{dexto.agent_dir}}/dexto/own.js', priority: 1 }
`,
    );
    await agree();
    expect((await say('Hello')).sent).toMatch(/Hello \[[^@]*\]/u);
  },
});
