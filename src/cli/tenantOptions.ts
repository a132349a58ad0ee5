import type { Command } from 'commander';
import type { Tenant } from '../contracts/tenant.ts';

/** On whose behalf a command works. */
export interface TenantOptions {
  readonly tenant?: string;
  readonly user?: string;
}

/** Adds `--tenant` and `--user` to a command that works with sessions. */
export function addTenantOptions(command: Command): Command {
  return command
    .option('--tenant <id>', 'id of the tenant; sessions, grants and storage of other tenants are hidden')
    .option('--user <id>', 'id of the user, passed to plugins');
}

/** The tenant that a command line names; undefined leaves it to the config. Pure. */
export function tenantOf({ tenant, user }: TenantOptions): Tenant | undefined {
  if (tenant === undefined && user === undefined) return undefined;
  return {
    ...(tenant === undefined ? {} : { tenantId: tenant }),
    ...(user === undefined ? {} : { userId: user }),
  };
}
