import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'log and trace tell each call of a plugin with how it ended and how long it took, and never what was said',
  async check({ say, logged, trace }) {
    await say('a question nobody may read', [{ text: 'an answer nobody may read' }]);
    expect(logged()).toMatch(
      /^debug Dexto plugin adds at beforeLLMRequest: ok true, changed, \d+\.\d\d ms$/mu,
    );
    expect(logged()).toMatch(/^debug Dexto plugin adds at beforeResponse: ok true, nothing, \d+\.\d\d ms$/mu);
    expect(logged()).not.toContain('nobody may read');
    const told = await trace();
    const [first] = told.lines.filter(({ kind }) => kind === 'point');
    expect(first).toMatchObject({ pluginId: 'adds', point: 'beforeLLMRequest', outcome: 'changed' });
    expect(first?.durationMs).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(told)).not.toContain('nobody may read');
  },
});
