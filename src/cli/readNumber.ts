import { InvalidArgumentError } from 'commander';

/** A whole number above 0 on the command line. @throws InvalidArgumentError */
export function wholeNumber(said: string): number {
  if (!/^[1-9]\d{0,8}$/u.test(said)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(said);
}

/** A temperature on the command line. @throws InvalidArgumentError */
export function readTemperature(said: string): number {
  const value = Number(said);
  if (!/^\d(?:\.\d{1,6})?$/u.test(said) || value > 2)
    throw new InvalidArgumentError('It must be a number from 0 to 2.');
  return value;
}
