import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasHiddenCharacters } from '../base/text.ts';
import { notificationText } from './notificationText.ts';

it('holds no link and nothing hidden, also where hidden characters stood inside a link', () => {
  expect(notificationText('[Approve]\u200B(command:x)')).toBe('[Approve] (command:x)');
  const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('](', ']', '(', '\u0000', '\n'));
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const shown = notificationText(pieces.join(''));
      expect(shown).not.toContain('](');
      expect(hasHiddenCharacters(shown)).toBe(false);
      expect(shown.length).toBeLessThanOrEqual(500);
    }),
  );
});
