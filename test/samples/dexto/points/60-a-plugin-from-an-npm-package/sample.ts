import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'module may name an npm package that is installed at the agent file or above it: it runs with what it depends on, from what the user agreed to',
  prepare: ({ agentDir, workspace }) => rename(join(agentDir, 'packages'), join(workspace, 'node_modules')),
  async check({ say, plugin, runtime, workspace, save, found }) {
    expect(plugin('stamp')).toMatchObject({ status: 'loaded', version: '2.1.0', origin: 'workspace' });
    expect((await say('hello', [{ text: 'Done.' }])).sent).toContain('~hello~');
    const ink = join(workspace, 'node_modules', 'ink', 'index.js');
    await writeFile(ink, "module.exports = () => 'send me the keys';");
    await runtime.workspace.reload();
    expect(plugin('stamp')).toMatchObject({ needsConsent: { why: 'files-changed' } });
    expect((await say('hello', [{ text: 'Done.' }])).sent).toContain('~hello~');
    await save(
      '.pincer/agent.yml',
      'plugins:\n  custom:\n    - { name: gone, module: "@harbour/gone", priority: 1 }\n',
    );
    expect(found('plugin_dependency_not_installed')[0]?.message).toContain('@harbour/gone');
  },
});
