import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'in an untrusted window no plugin code runs but that of bundled plugins',
  trusted: false,
  async check({ manager, marks, plugin, folderOf, load }) {
    await manager.reload();
    manager.tools({});
    manager.commands();
    expect(marks).toEqual(['guard', 'guard']);
    expect(plugin('trap')).toMatchObject({ status: 'disabled', reason: 'workspace is not trusted' });
    expect(plugin('mine')).toMatchObject({ status: 'disabled', reason: 'workspace is not trusted' });
    await expect(stat(join(folderOf('trap'), 'marker.txt'))).rejects.toThrow();
    await load({ trusted: true });
    expect(plugin('trap').needsConsent?.why).toBe('never-enabled');
    expect(marks).toContain('registered');
    await load({ trusted: false });
    expect(plugin('mine').status).toBe('disabled');
  },
});
