import { expect, it } from 'vitest';
import { checkHostVersion } from './checkHostVersion.ts';

const check = (openclaw: unknown) => {
  const result = checkHostVersion({ openclaw }, '2026.5.18');
  return result.ok ? result.odd.length : result.message;
};

it.each([
  [undefined, 0],
  [{}, 0],
  [{ install: { minHostVersion: '>=2026.5.18' } }, 0],
  [{ install: { minHostVersion: '2026.3.22' } }, 0],
  [{ install: { minHostVersion: '>=2026.5.18-beta.1' } }, 0],
  [
    { install: { minHostVersion: '>=2026.5.19' } },
    'plugin requires OpenClaw >=2026.5.19, but this host is 2026.5.18; skipping load',
  ],
  [{ install: { minHostVersion: 'soon' } }, 1],
  [{ install: { minHostVersion: 5 } }, 1],
  [{ install: null, compat: [] }, 0],
  [{ compat: { pluginApi: '2026.5' } }, 0],
  [{ compat: { pluginApi: '2026.3.22' } }, 0],
  [{ compat: { pluginApi: '2026.5.18-beta.2' } }, 0],
  [{ compat: { pluginApi: '2025' } }, 0],
  [
    { compat: { pluginApi: '2026.5.19' } },
    'plugin requires plugin API 2026.5.19, but this host is 2026.5.18; skipping load',
  ],
  [{ compat: { pluginApi: '^2026.1.0' } }, 0],
  [
    { compat: { pluginApi: '>=2027.1.0' } },
    'plugin requires plugin API >=2027.1.0, but this host is 2026.5.18; skipping load',
  ],
  [{ compat: { pluginApi: 'x'.repeat(1_000) } }, 1],
])('reads %j', (openclaw, expected) => {
  expect(check(openclaw)).toBe(expected);
});
