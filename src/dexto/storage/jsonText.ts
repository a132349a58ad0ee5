import { errorMessage } from '../../base/errors.ts';
import { notJson, unreadableValue, valueTooLarge } from './storageErrors.ts';

/** Of one value as JSON in UTF-8. */
const maxValueBytes = 32_000_000;

/**
 * A value as every backend keeps it, the way `JSON.stringify` writes it.
 * @throws PincerError `storage_not_json`, `storage_too_large`
 */
export function writeJson(key: string, value: unknown): string {
  const json = stringify(key, value);
  if (json === undefined) throw notJson(key, `it is ${value === undefined ? 'undefined' : typeof value}`);
  const bytes = Buffer.byteLength(json);
  if (bytes > maxValueBytes)
    throw valueTooLarge(`The value for ${JSON.stringify(key)}`, bytes, maxValueBytes);
  return json;
}

/** `JSON.stringify` gives undefined for what JSON does not have, whatever its type says. */
function stringify(key: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw notJson(key, errorMessage(error));
  }
}

/** A fresh value: nobody else has a part of it. @throws PincerError `storage_unreadable` */
export function readJson(key: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw unreadableValue(key);
  }
}
