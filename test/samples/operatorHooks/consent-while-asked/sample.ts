import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'files that change while the user is asked are not what the user agreed to',
  consent: false,
  async check({ hook, hooks, load, workspace }) {
    const seen = hook('moving').needsConsent?.hash;
    await writeFile(join(workspace, 'hooks/moving/handler.ts'), 'export default () => undefined;\n');
    await load();
    await expect(hooks.grantConsent('moving', seen)).rejects.toMatchObject({ code: 'hook_changed' });
    expect(hook('moving').status).toBe('disabled');
  },
});
