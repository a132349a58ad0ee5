import type { OpenClawConfig } from './configTypes.ts';
import type { PluginLogger } from './loggerTypes.ts';

export interface PluginServiceContext {
  readonly config: OpenClawConfig;
  /** The first folder that is open. */
  readonly workspaceDir?: string | undefined;
  /** A folder of the plugin's own, outside the workspace. */
  readonly stateDir: string;
  readonly logger: PluginLogger;
  /** The schedule, as `gateway_start` has it; absent where there is none. */
  readonly getCron?: () => unknown;
}

/** Something that runs while the plugin is loaded. Services start in the order they are registered and stop in reverse. */
export interface PluginService {
  readonly id: string;
  start(context: PluginServiceContext): unknown;
  stop?(context: PluginServiceContext): unknown;
}
