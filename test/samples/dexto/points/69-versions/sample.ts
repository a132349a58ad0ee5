import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'the agent file may ask for versions of a plugin, and a plugin for versions of the API; what does not fit is not loaded and says why',
  async check({ plugin, save, runtime, agentDir }) {
    expect(plugin('tides')).toMatchObject({ status: 'loaded', version: '2.3.0' });
    const text = await readFile(join(agentDir, 'agent.yml'), 'utf8');
    await save('.pincer/agent.yml', text.replace('^2.0.0', '^3.0.0'));
    expect(plugin('tides').error).toBe(
      "plugin 'tides' does not fit: the agent file asks for version ^3.0.0, and the plugin is 2.3.0",
    );
    await save('.pincer/agent.yml', text);
    expect(plugin('tides').error).toBeUndefined();
    await runtime.plugins.setDeveloping('dexto:tides', true);
    const code = await readFile(join(agentDir, 'plugins', 'tides.js'), 'utf8');
    await save('.pincer/plugins/tides.js', code.replace('^1.0.0', '^9.0.0'));
    expect(plugin('tides').error).toMatch(
      /its apiVersion asks for @dexto\/core \^9\.0\.0, and here it is 1\./u,
    );
  },
});
