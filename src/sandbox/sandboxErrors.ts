import { PincerError } from '../base/errors.ts';

/** The name of a program that was not found, or not where programs may be found. */
export function programNotFound(name: string): PincerError {
  return new PincerError('process_not_found', `There is no program ${name} on the PATH.`, {
    hint: 'Check its name, or ask the user to install it.',
  });
}

export function unsafeBatchArgument(argument: string): PincerError {
  return new PincerError(
    'argument_unsafe',
    `${JSON.stringify(argument)} can't be given to a .cmd or .bat file safely.`,
    {
      hint: 'Use only letters, digits and - _ . / : \\ = + @ in its arguments, or call the program behind it.',
    },
  );
}

export function tooManyJobs(max: number): PincerError {
  return new PincerError('jobs_too_many', `${max} commands run already.`, {
    hint: 'End one of them with process kill before you start another.',
  });
}

export function operationsClosed(): PincerError {
  return new PincerError('exec_closed', 'Commands can no longer be run: the window is closing.');
}
