// Threat: a plugin, or who chooses the id of a tenant, reaches the data of another tenant by the form of a key or an id. So the
// scope is a value of its own beside the key in every backend, never a part of it that a key could imitate.
import { checkTenant } from '../tenant/checkTenant.ts';
import type { Tenant } from '../../contracts/tenant.ts';

/**
 * Whose data it is, as a text: one for each tenant, and another for what belongs to none. Users of a tenant share its data.
 * @throws PincerError `tenant_invalid` for an id that a backend might change, so that two become one
 */
export function scopeOf(tenant: Tenant | undefined): string {
  const { tenantId } = checkTenant(tenant ?? {});
  return tenantId === undefined ? '' : `t${tenantId}`;
}
