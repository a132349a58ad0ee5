import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a tool without name, schema or execute never reaches a model; each is named',
  check({ manager, found }) {
    expect(manager.tools({}).map(({ name }) => name)).toEqual(['ping']);
    const problems = found('plugin_tool_malformed', 'odd').map(({ message }) => message);
    expect(problems).toHaveLength(6);
    expect(problems).toContain('plugin tool is malformed (odd): missing non-empty name');
    expect(problems).toContain('plugin tool is malformed (odd): no_schema missing parameters object');
    expect(problems).toContain('plugin tool is malformed (odd): no_execute missing execute function');
  },
});
