import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'the built-in plugins are there by their names alone, need no consent, and do their work',
  async check({ say, plugin, logged }) {
    for (const name of ['contentPolicy', 'responseSanitizer', 'notifications'])
      expect(plugin(name)).toMatchObject({ status: 'loaded', dexto: { isBuiltIn: true } });
    const { sent, shown } = await say('I am ada@sea.example.', [{ text: 'Ask bob@sea.example.' }]);
    expect(sent).not.toContain('ada@');
    expect(shown).toMatch(/^Ask .*\.$/u);
    expect(shown).not.toContain('bob@');
    const { outcome } = await say('x'.repeat(50));
    expect(outcome).toMatchObject({
      status: 'blocked',
      pluginId: 'contentPolicy',
      text: 'The message has 50 characters; 40 are allowed.',
    });
    expect(logged()).toContain('Input was blocked by plugin contentPolicy');
  },
});
