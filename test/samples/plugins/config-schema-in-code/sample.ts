import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the schema that the code exports judges the settings where the manifest has an empty one, defaults included',
  config: { entries: { p: { config: { word: 'hi' } } } },
  async check({ plugin, runTool, load }) {
    expect(await runTool('ping')).toBe('{"word":"hi","times":2}');
    expect(plugin('p').configJsonSchema).toMatchObject({ properties: { word: { type: 'string' } } });
    await load({ config: { entries: { p: { config: { word: 3 } } } } });
    expect(plugin('p')).toMatchObject({
      failurePhase: 'validation',
      error: 'invalid config: word: must be string',
    });
    await load({ config: { entries: { p: { config: { other: 1 } } } } });
    expect(plugin('p').error).toBe('invalid config: <root>: must NOT have additional properties ("other")');
  },
});
