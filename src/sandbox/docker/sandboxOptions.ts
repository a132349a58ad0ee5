/** What the user's config says about the container; nobody else's config may. */
export interface SandboxOptions {
  /** With a digest (`name@sha256:…`) the image can't change under its name. */
  readonly image: string;
  /** More folders for the container, as `source:target:ro|rw`. */
  readonly binds: readonly string[];
  /** Absolute folders that binds may come from beside the workspace. */
  readonly bindRoots: readonly string[];
  /** As Docker writes it: `1g`. */
  readonly memory: string;
  readonly cpus: number;
  readonly pidsLimit: number;
  /** How the workspace folders are mounted. */
  readonly workspaceAccess: 'ro' | 'rw' | 'none';
}
