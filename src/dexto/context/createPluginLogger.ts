// Threat: what a plugin logs comes from models, users and tools. It may hold secrets, forge lines of its own, say it came from
// another session or tenant, or be too much. Secrets go, one entry is one line, and whose entry it is comes last and can't be said
// otherwise.
import { errorMessage } from '../../base/errors.ts';
import { inertLine, truncate } from '../../base/text.ts';
import type { Log, LogLevel } from '../../host/ports.ts';
import type { Logger } from '../dextoTypes.ts';

interface PluginLoggerParts {
  readonly log: Log;
  /** The plugin's name. */
  readonly name: string;
  /** Session, user and tenant: whose entries they are. */
  readonly scope: Readonly<Record<string, string>>;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

const maxLine = 4_000;
const maxText = 2_000;

/** The logger that a plugin gets: one line for each entry, `[dexto:<name>] <message> {"…"}`. Never throws. */
export function createPluginLogger(
  parts: PluginLoggerParts,
  fields: Readonly<Record<string, unknown>> = {},
): Logger {
  const at =
    (level: LogLevel) =>
    (message: unknown, details?: Record<string, unknown>): void =>
      parts.log.write(
        level,
        lineOf(parts, typeof message === 'string' ? message : errorMessage(message), {
          ...fields,
          ...details,
        }),
      );
  const debug = at('debug');
  return Object.freeze({
    debug,
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    silly: debug,
    child: (more: Record<string, unknown>) => createPluginLogger(parts, { ...fields, ...more }),
  });
}

function lineOf(
  { name, scope, redact }: PluginLoggerParts,
  message: string,
  fields: Readonly<Record<string, unknown>>,
): string {
  const whose = inertLine(JSON.stringify(scope), 1_000);
  // Hidden characters go first: without them a secret that they were put into is whole. What is cut is cut before whose it is.
  const said = inertLine(`${message}${jsonOf(fields, redact)}`, Number.MAX_SAFE_INTEGER);
  return `[dexto:${inertLine(name, 60)}] ${truncate(redact(said), maxLine)} ${whose}`;
}

/** A secret that JSON writes otherwise than the user did must still be found: each text is looked through on its own, too. */
function jsonOf(fields: Readonly<Record<string, unknown>>, redact: (text: string) => string): string {
  if (Object.keys(fields).length === 0) return '';
  try {
    return ` ${JSON.stringify(fields, (_, value: unknown) => loggable(value, redact))}`;
  } catch {
    return ' (details that can’t be written down)';
  }
}

function loggable(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return truncate(redact(value), maxText);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Error) return `${value.name}: ${truncate(redact(value.message), maxText)}`;
  return value;
}
