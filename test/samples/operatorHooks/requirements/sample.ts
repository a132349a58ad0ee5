import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a hook whose programs, variables or settings are missing does not run and names what is missing',
  hostConfig: { a: { on: true, off: '' } },
  config: { entries: { 'c-env': { env: { OWN: 'x' } }, 'd-env': { env: { OWN: 'x' } } } },
  async prepare(root) {
    await writeFile(join(root, 'bin/tool'), '#!/bin/sh\n', { mode: 0o755 });
    await writeFile(join(root, 'bin/plain'), 'no program', { mode: 0o644 });
  },
  async check({ hooks, found, emit }) {
    expect(await emit('command:new')).toEqual(['b-any', 'd-env', 'e-config']);
    const off = hooks.list().filter(({ status }) => status === 'disabled');
    expect(off.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      'a-bin needs program nowhere',
      'c-env needs environment variable MISSING, environment variable GIVEN',
      'f-config needs config a.off, config __proto__.x',
      'g-path needs program ../bin/tool',
      'h-plain needs program plain',
    ]);
    expect(found('hook_ineligible')).toHaveLength(5);
  },
});
