/** Something that was dropped, blocked, hidden, overridden or failed, and why (rulings P10). */
export interface Diagnostic {
  readonly level: 'info' | 'warn' | 'error';
  /** Stable, `snake_case`; tests and quick fixes go by it. */
  readonly code: string;
  readonly message: string;
  /** What to do next, where there is something to do. */
  readonly hint?: string;
  readonly pluginId?: string;
  /** Absolute path of the file it is about. */
  readonly source?: string;
  /** 1-based. */
  readonly line?: number;
}
