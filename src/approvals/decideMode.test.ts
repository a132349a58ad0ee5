import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { approvalModes, decideMode, isLooser, type ModeSources } from './decideMode.ts';

const mode = fc.constantFrom(...approvalModes);
const sources: fc.Arbitrary<ModeSources> = fc.record(
  { chosen: mode, user: mode, workspace: mode, isTrusted: fc.boolean() },
  { requiredKeys: ['user', 'isTrusted'] },
);

describe('the mode that holds', () => {
  test("is the user's, and the command line's where it says one", () => {
    expect(decideMode({ user: 'auto', isTrusted: true })).toEqual({ mode: 'auto' });
    expect(decideMode({ chosen: 'full', user: 'deny', isTrusted: true })).toEqual({ mode: 'full' });
  });

  test('is tightened by the workspace and by missing trust, never loosened', () => {
    expect(decideMode({ user: 'full', workspace: 'allowlist', isTrusted: true })).toEqual({
      mode: 'allowlist',
      ceiling: { mode: 'allowlist', because: 'workspace' },
    });
    expect(decideMode({ user: 'deny', workspace: 'full', isTrusted: true }).mode).toBe('deny');
    expect(decideMode({ chosen: 'full', user: 'full', isTrusted: false })).toEqual({
      mode: 'ask',
      ceiling: { mode: 'ask', because: 'untrusted' },
    });
    expect(decideMode({ user: 'full', workspace: 'deny', isTrusted: false }).mode).toBe('deny');
  });

  test('is never looser than anything that limits it', () => {
    fc.assert(
      fc.property(sources, (given) => {
        const held = decideMode(given).mode;
        expect(isLooser(held, given.chosen ?? given.user)).toBe(false);
        if (given.workspace !== undefined) expect(isLooser(held, given.workspace)).toBe(false);
        if (!given.isTrusted) expect(isLooser(held, 'ask')).toBe(false);
      }),
    );
  });
});
