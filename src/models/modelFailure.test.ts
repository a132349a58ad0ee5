import { describe, expect, it } from 'vitest';
import { PincerError } from '../base/errors.ts';
import { modelFailure, retryAfterOf } from './modelFailure.ts';

describe('modelFailure', () => {
  it('is an error that tells code, message and the step that helps', () => {
    const error = modelFailure('model_quota', 'Nothing left.', { hint: 'Add credit.' });
    expect(error).toBeInstanceOf(PincerError);
    expect(error).toMatchObject({ code: 'model_quota', message: 'Nothing left.', hint: 'Add credit.' });
    expect(retryAfterOf(error)).toBeUndefined();
  });

  it('keeps how long the server asked to wait', () => {
    const error = modelFailure('model_rate_limited', 'Slow down.', { hint: 'Wait.', retryAfterMs: 1500 });
    expect(retryAfterOf(error)).toBe(1500);
  });

  it('reads no time from what is no such error', () => {
    expect(retryAfterOf(new PincerError('model_offline', 'Gone.'))).toBeUndefined();
    expect(retryAfterOf(Object.assign(new Error('x'), { retryAfterMs: 5 }))).toBeUndefined();
    expect(retryAfterOf(undefined)).toBeUndefined();
  });
});
