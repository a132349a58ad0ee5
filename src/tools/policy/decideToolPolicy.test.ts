import { describe, expect, it } from 'vitest';
import { decideToolPolicy, type PolicyTool } from './decideToolPolicy.ts';

const tool: PolicyTool = { name: 'deploy', owner: { kind: 'plugin', pluginId: 'p' }, optional: true };

describe('decideToolPolicy', () => {
  it.each(['*', 'deploy', 'p', 'group:plugins'])(
    'reveals an optional tool where the user allows "%s", and only there (rulings T6, T9)',
    (entry) => {
      const user = { label: 'user', isUser: true };
      const workspace = { label: 'workspace', allow: [entry] };
      expect(decideToolPolicy(tool, [user, workspace])).toContain('optional');
      expect(decideToolPolicy(tool, [{ ...user, allow: [entry] }, workspace])).toBeUndefined();
      expect(decideToolPolicy({ ...tool, optional: false }, [user, workspace])).toBeUndefined();
    },
  );
});
