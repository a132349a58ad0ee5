/**
 * The error that every folder throws. `code` is stable and `snake_case`, `message` names the thing, `hint` says what to do
 * next. The CLI maps the code to an exit status, the editor to a message with a button.
 */
export class PincerError extends Error {
  /** By its name: editor, CLI and runtime are bundles of their own, each with its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    try {
      return value instanceof Error && value.name === 'PincerError';
    } catch {
      // A proxy whose traps throw, or a name that does.
      return false;
    }
  }

  readonly code: string;
  readonly hint: string | undefined;
  /** The file that it is about; absolute. */
  readonly source: string | undefined;
  /** 1-based, in `source`. */
  readonly line: number | undefined;
  /** The id of the session that it is about, where what helps needs to be told. */
  readonly sessionId: string | undefined;

  constructor(
    code: string,
    message: string,
    options: {
      readonly hint?: string;
      readonly cause?: unknown;
      readonly sessionId?: string;
      readonly source?: string;
      readonly line?: number;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PincerError';
    this.code = code;
    this.hint = options.hint;
    this.sessionId = options.sessionId;
    this.source = options.source;
    this.line = options.line;
  }
}

/** The text of anything that was thrown, errors and non-errors alike. Never throws. */
export function errorMessage(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  try {
    const text: unknown = thrown instanceof Error ? thrown.message || thrown.name : undefined;
    if (typeof text === 'string') return text;
    const json = JSON.stringify(thrown) as string | undefined;
    return json ?? String(thrown);
  } catch {
    return kindOfThrown(thrown);
  }
}

function kindOfThrown(thrown: unknown): string {
  try {
    return Object.prototype.toString.call(thrown);
  } catch {
    // A proxy whose traps throw, or a tag that does.
    return 'an error that can not be read';
  }
}
