import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTenantContext } from './createTenantContext.ts';
import { findAsyncLocalStorage } from './findAsyncLocalStorage.ts';

describe('the tenant of the code that runs now', () => {
  const tenants = createTenantContext({ asyncLocalStorage: AsyncLocalStorage });

  it('holds for what run starts and for what that waits for, and for nothing else', async () => {
    const seen: unknown[] = [];
    const working = tenants.run({ tenantId: 'a', userId: 'u' }, async () => {
      seen.push(tenants.current());
      await setImmediate();
      seen.push(tenants.current());
    });
    expect(tenants.current()).toBeUndefined();
    await working;
    expect(seen).toEqual([
      { tenantId: 'a', userId: 'u' },
      { tenantId: 'a', userId: 'u' },
    ]);
    expect(tenants.current()).toBeUndefined();
    expect(tenants.isAutomatic).toBe(true);
  });

  it('is the inner one where one run is in another, and the outer one again after it', () => {
    tenants.run({ tenantId: 'a' }, () => {
      tenants.run({ tenantId: 'b' }, () => expect(tenants.current()).toEqual({ tenantId: 'b' }));
      expect(tenants.current()).toEqual({ tenantId: 'a' });
    });
  });

  it('ends with work that throws', () => {
    const work = (): never => {
      throw new Error('no');
    };
    expect(() => tenants.run({ tenantId: 'a' }, work)).toThrow('no');
    expect(tenants.current()).toBeUndefined();
  });

  it('is a copy that nobody can change', () => {
    const given = { tenantId: 'a', more: 1 };
    tenants.run(given, () => {
      given.tenantId = 'b';
      expect(tenants.current()).toEqual({ tenantId: 'a' });
      expect(Object.isFrozen(tenants.current())).toBe(true);
    });
  });

  it('works without async contexts: the work is done and the tenant is not known', async () => {
    const without = createTenantContext({ asyncLocalStorage: undefined });
    await expect(without.run({ tenantId: 'a' }, () => Promise.resolve(without.current()))).resolves.toBe(
      undefined,
    );
    expect(without.isAutomatic).toBe(false);
  });

  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['padded', ' a'],
    ['with a line end', 'a\nb'],
    ['with a hidden character', 'a\u200bb'],
    ['half a character', 'a\ud800'],
    ['too long', 'a'.repeat(201)],
    ['no text', 7 as unknown as string],
  ])('refuses an id that is %s, with and without async contexts', (_, id) => {
    for (const context of [tenants, createTenantContext()]) {
      for (const given of [{ tenantId: id }, { userId: id }])
        expect(() => context.run(given, () => 1)).toThrow(
          expect.objectContaining({ code: 'tenant_invalid' }),
        );
    }
  });
});

describe('findAsyncLocalStorage', () => {
  it('finds the one of Node', () => {
    expect(findAsyncLocalStorage()).toBe(AsyncLocalStorage);
  });

  it.each([
    ['there is no process', {}],
    ['Node is too old to be asked', { process: {} }],
    ['the module is not there', { process: { getBuiltinModule: () => undefined } }],
    ['the module has no such class', { process: { getBuiltinModule: () => ({}) } }],
  ])('finds none where %s', (_, globals) => {
    expect(findAsyncLocalStorage(globals)).toBeUndefined();
  });
});
