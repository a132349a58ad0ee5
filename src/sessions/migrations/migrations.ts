type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Takes lines of one version of the transcript to the next one. It happens while reading; the file stays as it is (docs/sessions.md).
 * Input may be damaged: what a step can't make sense of it passes on, and the reader of the current version judges it.
 */
export interface Migration {
  readonly from: number;
  /** The header, with `version` raised by one. */
  header(header: JsonRecord): JsonRecord;
  /** Absent where lines stayed the same. */
  entry?(entry: JsonRecord): JsonRecord;
}

/** Version 1 knew neither agents, channels nor kinds of sessions: all were chats of the one agent. Its lines are those of version 2. */
const fromVersion1: Migration = {
  from: 1,
  header: (header) => ({
    ...header,
    version: 2,
    key: `agent:main:${String(header['id'])}`,
    kind: 'chat',
    agentId: 'main',
  }),
};

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
