import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepStdoutClean } from './keepStdoutClean.ts';

afterEach(() => void vi.restoreAllMocks());

describe('keepStdoutClean', () => {
  it('sends what is printed to standard error, and stops at the end', () => {
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const clean = keepStdoutClean();
    process.stdout.write('from a plugin');
    clean.dispose();
    process.stdout.write('the answer');
    expect(err.mock.calls).toEqual([['from a plugin']]);
    expect(out.mock.calls).toEqual([['the answer']]);
  });
});
