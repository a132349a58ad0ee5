import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callOf, resultOf } from '../../../test/builders/toolCalls.ts';
import { createRepeatGuard, findCircle, type RepeatVerdict } from './createRepeatGuard.ts';

describe('createRepeatGuard', () => {
  /** Judges calls one after the other; what may run gives `results`, or always the same. */
  const judge = (
    names: readonly string[],
    resultAt: (index: number) => string = () => 'same',
  ): RepeatVerdict[] => {
    const guard = createRepeatGuard();
    return names.map((name, index) => {
      const each = callOf(name);
      const verdict = guard.judge(each);
      if (verdict === 'run') guard.note(each, resultOf(resultAt(index)));
      return verdict;
    });
  };

  it('explains the third call in a row that is the same and gave the same, and stops at the fourth', () => {
    expect(judge(['a', 'a', 'a', 'a'])).toEqual(['run', 'run', 'explain', 'stop']);
  });

  it('sees two calls in turn, and three, and stops where the circle goes on with its next call', () => {
    expect(judge(['a', 'b', 'a', 'b', 'a', 'b']).slice(4)).toEqual(['explain', 'stop']);
    expect(judge(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b']).slice(6)).toEqual(['explain', 'stop']);
  });

  it('lets a model that listened go on, and explains another circle for itself', () => {
    expect(judge(['a', 'a', 'a', 'b', 'b', 'b', 'b'])).toEqual([
      'run',
      'run',
      'explain',
      'run',
      'run',
      'explain',
      'stop',
    ]);
  });

  it('is no judge of calls whose results change: polling', () => {
    expect(judge(Array<string>(20).fill('process'), String)).not.toContain('explain');
  });

  it('takes calls with their parameters in another order for the same', () => {
    const guard = createRepeatGuard();
    for (const args of [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ])
      guard.note(callOf('read', args), resultOf('same'));
    expect(guard.judge(callOf('read', { a: 1, b: 2 }))).toBe('explain');
    expect(guard.judge(callOf('read', { a: 1, b: 3 }))).toBe('run');
  });

  it('finds no circle where the last six calls are all different', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 7 }), (names) => {
        const past = names.slice(1).map((each) => ({ call: each, result: 'same' }));
        expect(findCircle(past, names[0] ?? '')).toBeUndefined();
      }),
    );
  });
});
