import type { Disposable } from '../base/disposable.ts';

/**
 * Sends what is printed to standard output to standard error instead, until it is disposed. A plugin may print while it loads;
 * a script that reads our answer must not get that.
 */
export function keepStdoutClean(): Disposable {
  const before = Object.getOwnPropertyDescriptor(process.stdout, 'write');
  const redirected = (...args: Parameters<typeof process.stderr.write>): boolean =>
    process.stderr.write(...args);
  Object.defineProperty(process.stdout, 'write', { value: redirected, configurable: true, writable: true });
  return {
    dispose() {
      if (before === undefined) Reflect.deleteProperty(process.stdout, 'write');
      else Object.defineProperty(process.stdout, 'write', before);
    },
  };
}
