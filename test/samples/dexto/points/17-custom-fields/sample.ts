import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

const wrong = `plugins:
  custom:
    - name: few
      blocking: maybe
      Enabled: true
`;

export default sample({
  rule: 'a custom plugin has name, module and priority; it is enabled and blocking and has no settings where the file is silent; other keys are refused',
  async check(world) {
    const { say, plugin, save, found } = world;
    await world.restart();
    expect(world.marks).toEqual(['few {}', 'full {"depth":[1,{"unit":"m"}]}']);
    expect(plugin('few')).toMatchObject({
      enabled: true,
      dexto: { blocking: true, priority: 1, timeoutMs: 5_000, isBuiltIn: false, line: 3 },
    });
    expect(plugin('full').dexto).toMatchObject({ blocking: false, priority: 2, timeoutMs: 700, line: 6 });
    const { outcome } = await say('Hello');
    expect(outcome).toMatchObject({ status: 'blocked', pluginId: 'few' });
    await save('.pincer/agent.yml', wrong);
    const told = [...found('agent_file_key_unknown'), ...found('agent_file_invalid')];
    expect(told.map(({ message, line }) => `${String(line)} ${message}`)).toEqual([
      '5 plugins.custom[0].Enabled is no key that is known here.',
      expect.stringMatching(/^3 plugins\.custom\[0\]\.module is missing/u),
      expect.stringMatching(/^4 plugins\.custom\[0\]\.blocking: expected true or false/u),
      expect.stringMatching(/^3 plugins\.custom\[0\]\.priority is missing/u),
    ]);
    expect(told[1]?.hint).toBe(
      'Add the key. Write the path of its code, such as "${{dexto.agent_dir}}/plugins/my-plugin.ts".',
    );
  },
});
