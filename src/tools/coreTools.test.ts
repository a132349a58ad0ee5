import { expect, test } from 'vitest';
import { createTestWorkspace } from '../../test/samples/tools/createTestWorkspace.ts';
import { createCoreTools } from './coreTools.ts';
import { toolGroups } from './policy/toolGroups.ts';

test('every core tool describes its parameters as an object of known fields, and guesses the paths it touches', async () => {
  const workspace = await createTestWorkspace();
  try {
    const tools = createCoreTools(workspace.deps);
    expect(tools.map((tool) => [tool.name, tool.mayWrite])).toEqual([
      ['read', false],
      ['write', true],
      ['edit', true],
      ['apply_patch', true],
      ['ls', false],
      ['glob', false],
      ['grep', false],
    ]);
    for (const tool of tools) {
      // Profiles and windows without a folder know file tools by their group.
      expect(toolGroups['group:fs']).toContain(tool.name);
      expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.parameters).not.toHaveProperty('$schema');
    }
    const write = tools.find((tool) => tool.name === 'write')!;
    expect(write.derivedPaths?.({ path: 'docs/a.md', content: '' })).toEqual([`${workspace.root}/docs/a.md`]);
    expect(write.derivedPaths?.({ path: '../a.md', content: '' })).toEqual([]);
    expect(write.derivedPaths?.({ nonsense: true })).toEqual([]);
  } finally {
    await workspace.remove();
  }
});
