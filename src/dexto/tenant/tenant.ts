import type { Tenant } from '../../contracts/tenant.ts';

/** The tenant of the code that is running now (Dexto plugin specification, Multi-Tenant Context Passing). */
export interface TenantContext {
  /** Runs `work`, and everything that it waits for, on behalf of a tenant; without async contexts it only calls it. */
  run<T>(tenant: Tenant, work: () => T): T;
  /** Undefined outside of `run`, and where this process has no async contexts. */
  current(): Tenant | undefined;
  /** False where the tenant must be passed on, or comes from the session. */
  readonly isAutomatic: boolean;
}
