import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'notices go to the log by their kind, to the trace, to the list and to plugins that listen; of what was blocked only the codes',
  async check({ say, logged, trace, marks, plugin }) {
    await say('listen');
    await say('talk');
    const kinds = ['warn block', 'warn warn', 'info allow', 'info info'];
    for (const [index, kind] of kinds.entries()) {
      const [level = '', name = ''] = kind.split(' ');
      expect(logged()).toContain(
        `${level} Dexto plugin talks at beforeLLMRequest, ${name}: N${String(index)}: it is ${name}`,
      );
    }
    const line = (await trace()).lines.find((each) => each.kind === 'point');
    expect(line).toMatchObject({
      notices: [{ kind: 'block', code: 'N0' }, { code: 'N1' }, { code: 'N2' }, { code: 'N3' }],
    });
    expect(plugin('talks').dexto?.profile?.notices).toHaveLength(4);
    expect(marks).toEqual(['talks: N0', 'talks: N1', 'talks: N2', 'talks: N3']);
    const { outcome } = await say('block the secret word');
    expect(outcome).toMatchObject({ status: 'blocked', text: 'You said: block the secret word' });
    expect(logged()).toContain('block: QUOTED');
    const told = `${logged()}${JSON.stringify(await trace())}${marks.join(' ')}`;
    expect(told).not.toContain('secret word');
  },
});
