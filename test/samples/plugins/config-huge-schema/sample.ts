import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a schema of almost a megabyte stops nothing',
  prepare: (root) =>
    writeFile(
      join(root, 'home/plugins/p/openclaw.plugin.json'),
      JSON.stringify({
        id: 'p',
        configSchema: {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 9_000 }, (_, i) => [
              `setting${i}`,
              { type: 'string', pattern: `^${i}`, default: String(i) },
            ]),
          ),
        },
      }),
    ),
  check({ marks, plugin }) {
    expect(marks).toContain('other');
    expect(plugin('p').status).not.toBe('disabled');
  },
});
