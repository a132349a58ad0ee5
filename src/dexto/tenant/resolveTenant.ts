// Threat: a turn in the name of one tenant reads or writes what belongs to another. A session is used by the tenant it belongs to
// and by nobody else; what belongs to none is not handed to the first tenant that asks.
import { tenantMismatch } from './tenantErrors.ts';
import type { Tenant } from '../../contracts/tenant.ts';

/** Who may say on whose behalf a turn runs; the first that says something counts. */
export interface TenantSources {
  /** A parameter of the call. */
  readonly explicit?: Tenant | undefined;
  /** `TenantContext.current()`. */
  readonly current?: Tenant | undefined;
  readonly session?: {
    /** Of its header. */
    readonly tenant?: Tenant | undefined;
    /** Nothing is stored of it yet: it can still be given a tenant (`Session.adopt`). */
    readonly isNew: boolean;
  };
  /** The user's config, or what the program was started with. */
  readonly config?: Tenant | undefined;
}

/**
 * On whose behalf a turn runs; undefined on nobody's. A user comes from the source that names the tenant, or from one that is
 * asked before it: a user of one tenant is none of another. Pure.
 * @throws PincerError `tenant_mismatch`
 */
export function resolveTenant({ explicit, current, session, config }: TenantSources): Tenant | undefined {
  const said = [explicit, current, session?.tenant, config].filter((each) => each !== undefined);
  const naming = said.findIndex((each) => each.tenantId !== undefined);
  const tenantId = said[naming]?.tenantId;
  const userId = said.find(
    (each, at) => each.userId !== undefined && (at < naming || each.tenantId === tenantId),
  )?.userId;
  if (session !== undefined) checkSession(tenantId, session);
  if (tenantId === undefined && userId === undefined) return undefined;
  return {
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(userId === undefined ? {} : { userId }),
  };
}

function checkSession(
  tenantId: string | undefined,
  { tenant, isNew }: NonNullable<TenantSources['session']>,
): void {
  const isFree = tenant?.tenantId === undefined && isNew;
  if (!isFree && tenant?.tenantId !== tenantId) throw tenantMismatch();
}
