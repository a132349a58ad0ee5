import { PincerError } from '../../base/errors.ts';

/**
 * Stands for something of upstream's SDK that is not here. It can be imported, passed on and extended; calling it, making
 * an instance, spreading it or reading from it throws an error that names symbol, module and plugin.
 */
export function missingSymbol(symbol: string, module: string, pluginId: string): unknown {
  const fail = (): never => {
    throw new PincerError(
      'plugin_sdk_symbol_missing',
      `${symbol} of ${module} does not exist here (used by plugin ${pluginId}).`,
      { hint: 'Ask for it in the issue tracker, or do without it.' },
    );
  };
  const target = function (): void {
    // Only its traps are used.
  };
  return new Proxy(target, {
    apply: fail,
    construct: fail,
    // `{ ...it }` and `Object.keys(it)`, which would silently give nothing.
    ownKeys: fail,
    get(target, key) {
      if (key === Symbol.iterator || key === Symbol.asyncIterator) return fail();
      // What the language itself reads while a module loads: classes that extend, template texts, awaits.
      if (typeof key === 'symbol' || key === 'prototype' || key === 'name' || key === 'length') {
        return Reflect.get(target, key) as unknown;
      }
      return key === 'then' ? undefined : fail();
    },
  });
}
