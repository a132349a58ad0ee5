import type { JsonRecord, Migration } from './migration.ts';
import { fromVersion1 } from './fromVersion1.ts';

/** One step a version, in order: the first reads version 1. */
export const migrations: readonly Migration[] = [fromVersion1];

/** The version that this program writes. */
export const currentVersion = 2;

/** A header of version `version` as one of the current version. Pure. */
export function migrateHeader(header: JsonRecord, version: number): JsonRecord {
  return stepsFrom(version).reduce((value, step) => step.header(value), header);
}

/** A line that follows a header of version `version`, as the current version would have written it. Pure. */
export function migrateEntry(entry: JsonRecord, version: number): JsonRecord {
  return stepsFrom(version).reduce((value, step) => step.entry?.(value) ?? value, entry);
}

function stepsFrom(version: number): readonly Migration[] {
  return migrations.slice(version - 1);
}
