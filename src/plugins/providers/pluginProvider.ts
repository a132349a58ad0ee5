import type { PluginServiceContext } from '../../sdk/types.ts';

/** `api.registerProvider`, checked as far as it can be without asking it for its models. */
export interface ProviderRegistration {
  readonly id: string;
  readonly label: string;
  /** What the plugin gave, whose fields are anything. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** A provider of a loaded plugin. The `given` object stands for its registration: another load brings another one. */
export interface PluginProvider extends ProviderRegistration {
  readonly pluginId: string;
  /** What the plugin's services know, too. */
  readonly context: PluginServiceContext;
}

/** What a second provider of that id is told (upstream's text). */
export function providerTaken(id: string, plugin: string): string {
  return `provider already registered: ${id} (${plugin})`;
}
