import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'tools that the manifest does not declare are accepted with one warning that names them',
  check({ manager, found, plugin }) {
    expect(
      found('plugin_tools_undeclared').map(({ pluginId, message }) => `${pluginId ?? ''}: ${message}`),
    ).toEqual([
      'none: plugin must declare contracts.tools before registering agent tools',
      'some: plugin must declare contracts.tools for: forgotten',
    ]);
    expect(found('plugin_tools_undeclared', 'some')).toMatchObject([
      { source: plugin('some').manifestPath, line: 4, column: 17 },
    ]);
    expect(manager.tools({})).toHaveLength(4);
  },
});
