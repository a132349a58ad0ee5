import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'a built-in plugin takes no module and a custom one needs its module: each form has its own keys',
  async check({ say, found, save, agree }) {
    const told = [...found('agent_file_key_unknown'), ...found('agent_file_invalid')];
    expect(told.map(({ message, line }) => `${String(line)} ${message}`)).toEqual([
      '3 plugins.contentPolicy.module is no key that is known here.',
      '7 plugins.custom[0].maxInputChars is no key that is known here.',
      '5 plugins.custom[0].module is missing.',
    ]);
    await expect(say('Hello')).rejects.toMatchObject({ code: 'agent_stopped' });
    await save(
      '.pincer/agent.yml',
      `plugins:
  contentPolicy: { maxInputChars: 5 }
  custom:
    - { name: own, module: '\${{dexto.agent_dir}}/dexto/own.js', priority: 30, config: { maxInputChars: 5 } }
`,
    );
    await agree();
    expect((await say('Hi')).sent).toContain('Hi own 5');
    expect((await say('Hello there')).outcome).toMatchObject({ pluginId: 'contentPolicy' });
  },
});
