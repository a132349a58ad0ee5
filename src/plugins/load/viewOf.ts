import { extname } from 'node:path';
import type { ModuleRecord } from './moduleRecord.ts';

/**
 * A module as the one that imports it sees it. CommonJS that was once an ES module marks itself with `__esModule`; there
 * the two worlds differ in what its default is:
 * - to JavaScript that Node knows as an ES module it is all that the module exports;
 * - to TypeScript and to what bundlers made it is `exports.default`, or all where there is none.
 */
export function viewOf(record: ModuleRecord, importer: ModuleRecord): unknown {
  const { exports } = record.module;
  if (importer.format === 'commonjs' || record.format === 'module' || !isMarked(exports)) return exports;
  if ('default' in exports && !isNativeEsModule(importer)) return exports;
  return withDefault(exports);
}

interface Marked {
  readonly __esModule: true;
}

function isMarked(exports: unknown): exports is Marked {
  const holder = (typeof exports === 'object' && exports !== null) || typeof exports === 'function';
  return holder && (exports as Partial<Marked>).__esModule === true;
}

function isNativeEsModule({ filename }: ModuleRecord): boolean {
  return /^\.m?js$/u.test(extname(filename));
}

function withDefault(exports: Marked): unknown {
  return new Proxy(exports, {
    has: (target, key) => key === 'default' || Reflect.has(target, key),
    get: (target, key) => (key === 'default' ? target : (Reflect.get(target, key) as unknown)),
  });
}
