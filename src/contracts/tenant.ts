/** On whose behalf a turn runs. */
export interface Tenant {
  readonly tenantId?: string;
  readonly userId?: string;
}
