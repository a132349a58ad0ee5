import { PincerError } from '../base/errors.ts';

/** Upstream's text. */
export const environmentForbidden = (name: string): PincerError =>
  new PincerError(
    'env_forbidden',
    `Security Violation: Environment variable '${name}' is forbidden during host execution.`,
    { hint: 'Run the command without it.' },
  );

export const environmentInvalid = (name: string): PincerError =>
  new PincerError('env_invalid', `'${name}' can't be an environment variable`, {
    hint: 'Use letters, digits and _ in its name, and text without NUL in its value.',
  });
