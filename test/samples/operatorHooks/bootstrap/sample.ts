import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTextCache } from '../../../../src/agent/prompt/createTextCache.ts';
import { createNodeFileSystem } from '../../../../src/host/node/nodeFileSystem.ts';
import {
  applyBootstrap,
  readBootstrapFiles,
  toRulesFiles,
} from '../../../../src/plugins/operatorHooks/bootstrapFiles.ts';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'hooks of agent:bootstrap change, drop and add files of the system prompt; what is no file is left out and reported',
  async prepare(root) {
    await writeFile(join(root, 'workspace/AGENTS.md'), 'Use tabs.');
    await writeFile(join(root, 'secret.md'), 'secret');
    await symlink(join(root, 'secret.md'), join(root, 'workspace/USER.md'));
  },
  async check({ events, workspace }) {
    const texts = createTextCache({ fs: createNodeFileSystem(), platform: process.platform });
    const { files, problems } = await readBootstrapFiles(texts, workspace);
    expect(problems).toMatchObject([{ code: 'rules_file_unused', source: join(workspace, 'USER.md') }]);
    const input = { sessionKey: 'main', sessionId: 's', agentId: 'main', workspaceDir: workspace, files };
    const result = await applyBootstrap(events, input);
    expect(result.files.map(({ name, content }) => [name, content])).toEqual([
      ['AGENTS.md', 'Use tabs. Be brief.'],
      ['EXTRA.md', 'More.'],
    ]);
    expect(result.diagnostics).toMatchObject([{ code: 'hook_bootstrap_odd' }]);
    expect(toRulesFiles(result.files, workspace, (name) => name)).toMatchObject([
      { label: 'AGENTS.md', path: join(workspace, 'AGENTS.md'), text: 'Use tabs. Be brief.' },
      { label: 'EXTRA.md', text: 'More.' },
    ]);
    expect(files[0]?.content).toBe('Use tabs.');
  },
});
