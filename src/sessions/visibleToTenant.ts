// Threat: one tenant lists, opens, searches or writes the conversations of another, or those of nobody. Every way to a session by
// its id asks here.
import type { SessionHeader } from '../contracts/sessionEntry.ts';

/** On whose behalf a session runs, as its first line says it. */
export type SessionTenant = NonNullable<SessionHeader['tenant']>;

/** True where a session may be seen by `tenant`: both name the same tenant, or neither names one. Users do not count. Pure. */
export function visibleToTenant(
  session: { readonly tenant?: SessionTenant | undefined },
  tenant: SessionTenant | undefined,
): boolean {
  return session.tenant?.tenantId === tenant?.tenantId;
}
