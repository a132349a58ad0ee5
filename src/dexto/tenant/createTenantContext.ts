// Threat: work of one tenant is taken for work of another. The tenant holds for exactly what `run` starts and what that waits for;
// there is no way to set one for code that already runs (`enterWith` leaks into whatever comes next).
import type { Tenant } from '../../contracts/tenant.ts';
import { checkTenant } from './checkTenant.ts';

/** The tenant of the code that is running now (Dexto plugin specification, Multi-Tenant Context Passing). */
export interface TenantContext {
  /** Runs `work`, and everything that it waits for, on behalf of a tenant; without async contexts it only calls it. */
  run<T>(tenant: Tenant, work: () => T): T;
  /** Undefined outside of `run`, and where this process has no async contexts. */
  current(): Tenant | undefined;
  /** False where the tenant must be passed on, or comes from the session. */
  readonly isAutomatic: boolean;
}

/** The part of `AsyncLocalStorage` of `node:async_hooks` that is used. */
interface AsyncStorage<T> {
  run<R>(value: T, work: () => R): R;
  getStore(): T | undefined;
}

export type AsyncStorageConstructor = new <T>() => AsyncStorage<T>;

interface TenantContextParts {
  /** Where this process has one (`findAsyncLocalStorage`); undefined, the tenant is passed on or comes from the session. */
  readonly asyncLocalStorage?: AsyncStorageConstructor | undefined;
}

/**
 * The tenant of the code that is running now (Dexto plugin specification, Multi-Tenant Context Passing; its fallbacks are an explicit parameter and
 * the session, `resolveTenant`). `run` throws `tenant_invalid`.
 */
export function createTenantContext({ asyncLocalStorage }: TenantContextParts = {}): TenantContext {
  if (asyncLocalStorage === undefined) {
    return {
      run(tenant, work) {
        checkTenant(tenant);
        return work();
      },
      current: () => undefined,
      isAutomatic: false,
    };
  }
  const store = new asyncLocalStorage<Tenant>();
  return {
    run: (tenant, work) => store.run(checkTenant(tenant), work),
    current: () => store.getStore(),
    isAutomatic: true,
  };
}
