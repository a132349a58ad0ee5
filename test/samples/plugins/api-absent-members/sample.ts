import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'what upstream has since lately or by option, and does not work here, is absent, so that a plugin takes its own way round',
  async check({ found, runTool }) {
    expect(await runTool('ways')).toBe('no-decisions no-tts no-resize');
    expect(found('plugin_member_absent', 'careful').map(({ message }) => message)).toEqual([
      'The plugin looked for api.runtime.tts, which is absent here: a speech provider is asked when the user has an answer read aloud, and agreed to it; plugins ask nobody to speak',
      'The plugin looked for api.runtime.media.resizeToJpeg, which is absent here: images go to the model as they are',
    ]);
  },
});
