import type { OpenClawConfig } from './configTypes.ts';
import type { PluginLogger } from './loggerTypes.ts';

/** What a plugin uses of commander's `Command`; the value it gets is a whole one. */
export interface CliCommand {
  name(): string;
  command(nameAndArguments: string, options?: object): CliCommand;
  description(text: string): CliCommand;
  argument(name: string, description?: string, defaultValue?: unknown): CliCommand;
  option(flags: string, description?: string, defaultValue?: unknown): CliCommand;
  requiredOption(flags: string, description?: string, defaultValue?: unknown): CliCommand;
  alias(name: string): CliCommand;
  action(run: (...args: never[]) => unknown): CliCommand;
  opts(): Record<string, unknown>;
}

export interface PluginCliContext {
  /** The `pincer` program; add commands to it. */
  readonly program: CliCommand;
  readonly config: OpenClawConfig;
  readonly workspaceDir?: string;
  readonly logger: PluginLogger;
}

/** Adds commands to the command line program; may be async and is awaited. */
export type PluginCliRegistrar = (context: PluginCliContext) => unknown;

export interface PluginCliOptions {
  /** The names it adds: where one is taken, the registrar does not run. */
  readonly commands?: readonly string[];
}
