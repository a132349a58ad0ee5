import { expect, it } from 'vitest';
import { shortReason } from './shortReason.ts';

it('leaves out what stands beside it anyway: the name before, the file behind', () => {
  const text = "plugin 'a' could not be loaded: gone (/w/a.ts)";
  expect(shortReason(text, { name: 'a', source: '/w/a.ts' })).toBe('could not be loaded: gone');
  expect(shortReason(text, { source: '/w/a.ts' })).toBe("plugin 'a' could not be loaded: gone");
  expect(shortReason(text, { name: 'b', source: '/w/b.ts' })).toBe(text);
});
