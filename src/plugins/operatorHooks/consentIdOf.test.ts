import { expect, it } from 'vitest';
import { judgeConsent } from '../consent/judgeConsent.ts';
import { isReservedId } from '../manifest/isReservedId.ts';
import { consentIdOf } from './planHook.ts';

it.each(['x', 'X', '', 'hook:x', ' x'])('the consent of the hook %j can be that of no plugin', (name) => {
  expect(isReservedId(consentIdOf(name))).toBe(true);
});

it('what was agreed to for a plugin does not count for a hook of its name, nor the other way round', () => {
  const files = { rootDir: '/w/x', hash: 'h', files: {} };
  const agreed = (id: string) => [{ ...files, id, grantedAt: 1 }];
  const asked = (id: string, given: string) => judgeConsent({ ...files, id }, agreed(given))?.why;
  expect(asked(consentIdOf('x'), 'x')).toBe('never-enabled');
  expect(asked('x', consentIdOf('x'))).toBe('never-enabled');
  expect(asked(consentIdOf('x'), consentIdOf('x'))).toBeUndefined();
});
