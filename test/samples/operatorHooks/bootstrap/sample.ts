import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createNodeFileSystem } from '../../../../src/host/node/nodeFileSystem.ts';
import {
  applyBootstrap,
  bootstrapText,
  readBootstrapFiles,
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
    const files = await readBootstrapFiles(createNodeFileSystem(), workspace);
    const input = { sessionKey: 'main', sessionId: 's', workspaceDir: workspace, files };
    const result = await applyBootstrap(events, input);
    expect(result.files.map(({ name, content }) => [name, content])).toEqual([
      ['AGENTS.md', 'Use tabs. Be brief.'],
      ['EXTRA.md', 'More.'],
    ]);
    expect(result.diagnostics).toMatchObject([{ code: 'hook_bootstrap_odd' }]);
    expect(bootstrapText(result.files)).toBe(
      '# Files of the workspace\n\n## AGENTS.md\n\nUse tabs. Be brief.\n\n## EXTRA.md\n\nMore.',
    );
    expect(files[0]?.content).toBe('Use tabs.');
  },
});
