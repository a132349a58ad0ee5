import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what upstream has since lately or by option, and does not work here, is absent, so that a plugin takes its own way round',
  async check({ found, runTool }) {
    expect(await runTool('ways')).toBe('no-decisions no-tts no-hint');
    expect(found('plugin_member_absent', 'careful').map(({ message }) => message)).toEqual([
      'The plugin looked for api.runtime.tts, which is absent here: a speech provider is asked when the user has an answer read aloud, and agreed to it; plugins ask nobody to speak',
      'The plugin looked for api.runtime.system.formatNativeDependencyHint, which is absent here: native add-ons are refused with their own error',
    ]);
  },
});
