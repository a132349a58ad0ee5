import type { Clock, FileSystem, HttpClient } from '../../host/ports.ts';
import type { FindPackage } from './local/findPackage.ts';

/** What the providers of embeddings need of the machine. */
export interface EmbeddingDeps {
  readonly fs: Pick<FileSystem, 'stat' | 'readText'>;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly findPackage: FindPackage;
  /** For paths that begin with `~/`. */
  readonly userHome: string;
}
