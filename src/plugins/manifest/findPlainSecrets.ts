import { isRecord } from '../../base/json.ts';

interface PlainSecret {
  /** Path of the setting, such as `server.token`. */
  readonly path: string;
  readonly value: string;
}

/** The settings that `uiHints` calls sensitive and that stand in the config as plain text. `*` in a path is any key. Pure. */
export function findPlainSecrets(
  uiHints: Readonly<Record<string, unknown>>,
  config: unknown,
): readonly PlainSecret[] {
  return Object.entries(uiHints).flatMap(([path, hint]) =>
    isRecord(hint) && hint['sensitive'] === true ? textsAt(config, path.split('.'), []) : [],
  );
}

function textsAt(value: unknown, path: readonly string[], walked: readonly string[]): readonly PlainSecret[] {
  const [key, ...rest] = path;
  if (key === undefined) {
    return typeof value === 'string' && value !== '' ? [{ path: walked.join('.'), value }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const keys = key === '*' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : [];
  return keys.flatMap((each) => textsAt(Reflect.get(value, each), rest, [...walked, each]));
}
