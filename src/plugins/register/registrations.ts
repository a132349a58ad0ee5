import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { HookRegistration } from '../../hooks/createHookRegistry.ts';
import type { RegistrationKind } from '../pluginTypes.ts';
import type { PluginCommandDefinition, PluginService, PluginToolFactory } from '../../sdk/types.ts';

export interface ToolRegistration {
  readonly factory: PluginToolFactory;
  /** Known before the factory has run: declared names and the name of a plain tool. */
  readonly names: readonly string[];
  readonly optional: boolean;
}

/** Something that is registered, listed and checked, but that nothing uses yet. */
export interface UnusedRegistration {
  readonly kind: RegistrationKind;
  readonly name: string;
  readonly value: unknown;
}

/** Everything one plugin has registered, in its order. Dropping the object rolls all of it back. */
export interface Registrations {
  readonly tools: ToolRegistration[];
  readonly commands: PluginCommandDefinition[];
  readonly hooks: HookRegistration[];
  readonly services: PluginService[];
  readonly unused: UnusedRegistration[];
  readonly diagnostics: Diagnostic[];
}

export function createRegistrations(): Registrations {
  return { tools: [], commands: [], hooks: [], services: [], unused: [], diagnostics: [] };
}
