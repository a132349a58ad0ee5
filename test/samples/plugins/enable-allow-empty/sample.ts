import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'without an allowlist, the plugins that run only because they lie in the home folder are named',
  config: { entries: { q: { enabled: true } } },
  async check({ manager, load }) {
    const named = () => manager.diagnostics().filter(({ code }) => code === 'plugins_allow_empty');
    expect(named()).toMatchObject([
      { level: 'info', message: 'plugins.allow is empty; discovered non-bundled plugins may auto-load: p' },
    ]);
    await load({ config: { allow: ['p', 'q'] } });
    expect(named()).toEqual([]);
  },
});
