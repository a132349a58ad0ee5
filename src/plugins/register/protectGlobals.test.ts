import { describe, expect, it } from 'vitest';
import { protectGlobals } from './protectGlobals.ts';

describe('protectGlobals', () => {
  it('puts back what code deleted or replaced, and names it', () => {
    const { parse } = JSON;
    const original = globalThis.structuredClone;
    const { repaired } = protectGlobals(() => {
      Reflect.deleteProperty(globalThis, 'structuredClone');
      JSON.parse = () => 'hijacked';
      Reflect.set(Array.prototype, 'map', () => []);
    });
    expect([...repaired].sort()).toEqual(['Array.prototype.map', 'JSON.parse', 'structuredClone']);
    expect(globalThis.structuredClone).toBe(original);
    expect(JSON.parse).toBe(parse);
    expect([1].map((each) => each + 1)).toEqual([2]);
  });

  it('takes away what code added to everything', () => {
    const { repaired } = protectGlobals(() => Reflect.set(Object.prototype, 'polluted', true));
    expect(repaired).toEqual(['Object.prototype.polluted']);
    expect('polluted' in {}).toBe(false);
  });

  it('repairs also where the code throws, and passes the error on', () => {
    const run = (): never => {
      Reflect.deleteProperty(globalThis, 'queueMicrotask');
      throw new Error('bad start');
    };
    expect(() => protectGlobals(run)).toThrow('bad start');
    expect(typeof queueMicrotask).toBe('function');
  });

  it('leaves new globals alone and gives the result', () => {
    const { result, repaired } = protectGlobals(() => Reflect.set(globalThis, 'pluginCache', 1));
    expect([result, repaired]).toEqual([true, []]);
    expect(Reflect.get(globalThis, 'pluginCache')).toBe(1);
    Reflect.deleteProperty(globalThis, 'pluginCache');
  });

  it('reading a global that Node makes on first use is no damage', () => {
    const { repaired } = protectGlobals(() => [
      globalThis.crypto,
      globalThis.navigator,
      globalThis.WebSocket,
    ]);
    expect(repaired).toEqual([]);
  });

  it('puts a value back that can not be configured any more, as long as it can be written', () => {
    Reflect.set(Math, 'pinned', Math.max);
    const { repaired, lost } = protectGlobals(() =>
      Object.defineProperty(Math, 'pinned', { value: Math.min, configurable: false, writable: true }),
    );
    expect([repaired, lost]).toEqual([['Math.pinned'], []]);
    expect(Reflect.get(Math, 'pinned')).toBe(Math.max);
  });

  it('says of what it could not put back that it is lost', () => {
    Reflect.set(Math, 'lostForGood', Math.max);
    const { repaired, lost } = protectGlobals(() => {
      Object.defineProperty(Math, 'lostForGood', { value: 1, configurable: false, writable: false });
      Object.defineProperty(Function.prototype, 'staysForGood', { value: 1, configurable: false });
      Reflect.deleteProperty(Math, 'max');
    });
    expect(repaired).toEqual(['Math.max']);
    expect([...lost].sort()).toEqual(['Function.prototype.staysForGood', 'Math.lostForGood']);
  });
});
