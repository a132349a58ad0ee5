import type { GrantStore } from './createGrantStore.ts';
import { grantUnknown } from './approvalErrors.ts';

/**
 * The grants of one tenant: others are not listed, not matched and can't be revoked, and what is added is its own. `tenantIdOf` is
 * asked when a call begins; undefined are the grants of nobody.
 */
export function createTenantGrants(store: GrantStore, tenantIdOf: () => string | undefined): GrantStore {
  return {
    onDidChange: store.onDidChange,
    async list() {
      const tenantId = tenantIdOf();
      return (await store.list()).filter((grant) => grant.tenantId === tenantId);
    },
    add: (grant) => store.add({ ...withoutTenant(grant), ...own(tenantIdOf()) }),
    matches: (query) => store.matches({ ...withoutTenant(query), ...own(tenantIdOf()) }),
    async revoke(id) {
      const tenantId = tenantIdOf();
      const found = (await store.list()).find((grant) => grant.id === id);
      if (found !== undefined && found.tenantId !== tenantId) throw grantUnknown(id);
      await store.revoke(id);
    },
  };
}

function own(tenantId: string | undefined): { readonly tenantId?: string } {
  return tenantId === undefined ? {} : { tenantId };
}

function withoutTenant<T extends { readonly tenantId?: string }>({
  tenantId: _,
  ...rest
}: T): Omit<T, 'tenantId'> {
  return rest;
}
