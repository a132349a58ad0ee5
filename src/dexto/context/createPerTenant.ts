/** Tenants whose things are kept at one time; those of the one that was asked for first go, and are made again. */
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
