import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a missing symbol can be passed on and extended; calling or spreading it names symbol, subpath and plugin',
  async check({ runTool }) {
    const lines = (await runTool('ping')).split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe(
      'createReplyPrefixOptions of openclaw/plugin-sdk/channel-runtime does not exist here (used by plugin p).',
    );
    expect(lines[1]).toContain('ChannelBase of openclaw/plugin-sdk/channel-runtime');
    for (const line of lines.slice(2))
      expect(line).toContain('SOME_CONSTANT of openclaw/plugin-sdk/channel-runtime');
  },
});
