import type { SqlValue } from 'sql.js';

// What a column holds, as the type that the schema gives it: a file whose rows have others is not opened (findFault).

export function toText(value: SqlValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function toOptionalText(value: SqlValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function toNumber(value: SqlValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

export function toBytes(value: SqlValue | undefined): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}
