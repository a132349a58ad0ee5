/** Writes to the host's log, marked with the plugin's id. */
export interface PluginLogger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A logger with a name, and children with longer names. */
export interface SubsystemLogger {
  readonly subsystem: string;
  isEnabled(level: string): boolean;
  trace(message: string, meta?: Readonly<Record<string, unknown>>): void;
  debug(message: string, meta?: Readonly<Record<string, unknown>>): void;
  info(message: string, meta?: Readonly<Record<string, unknown>>): void;
  warn(message: string, meta?: Readonly<Record<string, unknown>>): void;
  error(message: string, meta?: Readonly<Record<string, unknown>>): void;
  fatal(message: string, meta?: Readonly<Record<string, unknown>>): void;
  raw(message: string): void;
  /** Named `parent/name`. */
  child(name: string): SubsystemLogger;
}
