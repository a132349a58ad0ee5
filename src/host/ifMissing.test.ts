import { expect, it } from 'vitest';
import { PincerError } from '../base/errors.ts';
import { ifMissing } from './ifMissing.ts';

const failing = (error: Error): Promise<string> => Promise.reject(error);

it('a file that is not there is what was given in its place', async () => {
  await expect(failing(new PincerError('io_not_found', 'no file')).catch(ifMissing(''))).resolves.toBe('');
});

it('what else went wrong is thrown', async () => {
  await expect(failing(new PincerError('io_too_large', 'large')).catch(ifMissing(''))).rejects.toThrow(
    'large',
  );
  await expect(failing(new Error('odd')).catch(ifMissing(''))).rejects.toThrow('odd');
});
