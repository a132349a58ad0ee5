import type { StorageBackends } from '../dextoTypes.ts';
import type { Tenant } from '../../contracts/tenant.ts';

export type {
  BlobConfig,
  CacheConfig,
  DatabaseConfig,
  StorageConfig,
} from '../../config/agentFile/storageConfig.ts';

/** The storage of one agent; opened with the first use. */
export interface Storage {
  /** What this tenant has; without a tenant what belongs to none. Nothing of another tenant can be reached by any key. */
  forTenant(tenant: Tenant | undefined): StorageBackends;
  /** Writes what waits to be written, and disconnects. */
  close(): Promise<void>;
}
