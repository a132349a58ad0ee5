import { expect, it } from 'vitest';
import { pluginTool } from '../../../test/samples/tools/createTestPipeline.ts';
import { createToolCatalog } from '../../tools/catalog.ts';
import { createParamsValidator } from '../../tools/createParamsValidator.ts';
import { childRows, planToolRows } from './toolRows.ts';

const tool = (name: string, pluginId?: string) =>
  pluginTool(() => '', {
    name,
    owner: pluginId === undefined ? { kind: 'core' } : { kind: 'plugin', pluginId },
  });

it('shows tools below their owners, then every hidden one once, whatever names they fight over', () => {
  const catalog = createToolCatalog({
    core: [tool('read'), tool('exec')],
    plugins: [tool('deploy', 'a'), tool('deploy', 'b'), tool('deploy', 'c')],
    policy: [{ label: 'tools (user config)', deny: ['exec'] }],
    isReadOnly: false,
    validator: createParamsValidator(),
  });
  const rows = planToolRows(catalog);
  const shown = rows.map((row) => [
    row.kind,
    'pluginId' in row ? row.pluginId : undefined,
    childRows(row).map((each) =>
      each.kind === 'tool'
        ? [each.toolName, each.explained.hidden?.layer ?? each.explained.hidden?.code]
        : [],
    ),
  ]);
  expect(shown).toEqual([
    ['problem', undefined, []],
    ['problem', undefined, []],
    ['owner', undefined, [['read', undefined]]],
    ['owner', 'a', [['deploy', undefined]]],
    [
      'hidden',
      undefined,
      [
        ['exec', 'tools (user config)'],
        ['deploy', 'tool_conflict'],
        ['deploy', 'tool_conflict'],
      ],
    ],
  ]);
});
