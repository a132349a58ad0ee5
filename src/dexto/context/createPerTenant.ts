/** Tenants whose values are kept at one time; beyond it the oldest is evicted, and made again when it is asked for. */
const maxTenants = 1_000;

/** Makes something once for each tenant; undefined is what belongs to nobody. `make` must give the same for the same id. */
export function createPerTenant<T>(
  make: (tenantId: string | undefined) => T,
): (tenantId: string | undefined) => T {
  const made = new Map<string | undefined, { readonly value: T }>();
  return (tenantId) => {
    const known = made.get(tenantId);
    if (known !== undefined) return known.value;
    const fresh = { value: make(tenantId) };
    made.set(tenantId, fresh);
    for (const oldest of made.keys()) {
      if (made.size <= maxTenants) break;
      made.delete(oldest);
    }
    return fresh.value;
  };
}
