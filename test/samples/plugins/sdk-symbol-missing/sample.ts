import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a missing SDK symbol can be imported; using it names symbol, module and plugin',
  async check({ plugin, runTool }) {
    expect(plugin('newer').status).toBe('loaded');
    expect(JSON.parse(await runTool('ping'))).toEqual({ near: true });
    await expect(runTool('ping', { far: true })).rejects.toThrow(
      'createTeleporter of openclaw/plugin-sdk/teleport does not exist here (used by plugin newer).',
    );
  },
});
